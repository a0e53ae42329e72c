package io.inboxkit.outbox.jdbc;

/**
 * What PostgreSQL writes of a snapshot, {@code xmin:xmax:xip,xip…}: all transactions below {@code xmin} had ended, those in the
 * list and from {@code xmax} on had not.
 *
 * @param xmax the first of those of which nothing is known
 * @param underWay those that were under way, as an array of PostgreSQL
 */
record Snapshot(String xmax, String underWay) {

    /** A snapshot in which nothing is visible. */
    static final String NOTHING = "1:1:";

    static Snapshot parse(String text) {
        String[] parts = text.split(":", -1);
        return new Snapshot(parts[1], "{" + parts[2] + "}");
    }
}
