package io.inboxkit.testkit;

import java.util.Locale;

/**
 * What goes wrong, and where. A fault strikes once. Unless an error is given, the physical connection is really cut and
 * the caller sees SQLSTATE 08006.
 *
 * @param point where it strikes
 * @param statement the number of the statement, from 1, or 0 for any
 * @param containing what the SQL contains, in any case; empty for any
 * @param sqlState the error, with the connection left as it is; empty to cut the connection
 */
public record Fault(Point point, int statement, String containing, String sqlState) {

    /** Where a fault strikes. */
    public enum Point {
        /** Instead of a statement, which does not reach the server. */
        STATEMENT,
        /** Instead of the commit, which does not reach the server. */
        BEFORE_COMMIT,
        /** The server commits, but its answer is lost: the caller sees an error. */
        DURING_COMMIT,
        /** The caller sees a good commit, then the connection is gone. */
        AFTER_COMMIT
    }

    /** Strikes at the statement of that number, counted from 1 since the last {@link StatementLog#reset()}. */
    public static Fault atStatement(int number) {
        return new Fault(Point.STATEMENT, number, "", "");
    }

    /** Strikes at the next statement whose SQL contains the text, in any case. */
    public static Fault atStatement(String containing) {
        return new Fault(Point.STATEMENT, 0, containing, "");
    }

    /** Strikes at the next commit. */
    public static Fault at(Point point) {
        return new Fault(point, 0, "", "");
    }

    /** The same with an error of that SQLSTATE in place of the cut. */
    public Fault error(String sqlState) {
        return new Fault(point, statement, containing, sqlState);
    }

    boolean strikes(int number, String sql) {
        return (statement == 0 || statement == number)
                && sql.toLowerCase(Locale.ROOT).contains(containing.toLowerCase(Locale.ROOT));
    }
}
