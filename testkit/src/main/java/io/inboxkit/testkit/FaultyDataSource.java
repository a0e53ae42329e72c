package io.inboxkit.testkit;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A {@code DataSource} that counts what goes through it and fails at a chosen point. Thread-safe.
 *
 * <p>It belongs below a pool ({@link TestDatabase#pool(int, DataSource)}): what it counts as open are physical connections
 * then, and a cut one is thrown out by the pool as in production.
 */
public final class FaultyDataSource extends DelegatingDataSource {

    private final StatementLog log = new StatementLog();
    private final AtomicReference<@Nullable Fault> next = new AtomicReference<>();

    /** Passes everything on to {@code target} until a fault is armed. */
    public FaultyDataSource(DataSource target) {
        super(target);
    }

    /** Arms one fault, in place of an earlier one that has not struck. */
    public void arm(Fault fault) {
        next.set(fault);
    }

    /** True if no fault is waiting to strike. */
    public boolean hasStruck() {
        return next.get() == null;
    }

    /** What went through. */
    public StatementLog log() {
        return log;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return FaultyConnection.wrap(super.getConnection(), this);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return FaultyConnection.wrap(super.getConnection(user, password), this);
    }

    /** The fault that strikes at this commit, which is disarmed by that. */
    @Nullable
    Fault takeAtCommit() {
        Fault fault = next.get();
        return fault != null && fault.point() != Fault.Point.STATEMENT && next.compareAndSet(fault, null)
                ? fault
                : null;
    }

    /** The fault that strikes at this statement, which is disarmed by that. */
    @Nullable
    Fault takeAtStatement(int number, String sql) {
        Fault fault = next.get();
        return fault != null
                        && fault.point() == Fault.Point.STATEMENT
                        && fault.strikes(number, sql)
                        && next.compareAndSet(fault, null)
                ? fault
                : null;
    }
}
