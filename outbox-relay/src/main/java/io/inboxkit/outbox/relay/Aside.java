package io.inboxkit.outbox.relay;

/**
 * How far a region that was set aside has been read. It is read in rounds, each of one snapshot; it goes back to the rest when a
 * round of the snapshot of the rest has come to its end.
 */
final class Aside {

    private static final long NOTHING = Long.MAX_VALUE;

    private long pending = NOTHING;
    private String snapshot = "";
    private long cursor;
    private boolean active;

    /** Messages from this number on have to be read, in another round than the present one. */
    void leave(long seq) {
        pending = Math.min(pending, seq);
    }

    /** Where the region stops in the middle of a round, what the round has not read is left, too. */
    void stopAt(long seq) {
        leave(Math.min(seq, leftFrom()));
        active = false;
    }

    /** From where on something is left to be read. */
    long leftFrom() {
        return active ? Math.min(pending, cursor + 1) : pending;
    }

    boolean isActive() {
        return active;
    }

    void begin(String newSnapshot) {
        active = true;
        snapshot = newSnapshot;
        cursor = pending == NOTHING ? cursor : pending - 1;
        pending = NOTHING;
    }

    String snapshot() {
        return snapshot;
    }

    long cursor() {
        return cursor;
    }

    void advance(long seq) {
        cursor = seq;
    }

    /** Whether nothing is left to read but what the rest reads anyway. */
    boolean isDone(String current) {
        return pending == NOTHING && snapshot.equals(current);
    }
}
