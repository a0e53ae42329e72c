package io.inboxkit.outbox.relay;

import java.time.Duration;

/**
 * How long what this relay owns is surely its own, by the monotonic clock of this process: counted from before the statement that
 * the database set the end by, so never longer than the database thinks. Thread-safe.
 */
final class Lease {

    private volatile State state = new State("", System.nanoTime());

    private record State(String relay, long end) {}

    /** The lease of the relay was prolonged by a statement that was sent at that time. */
    void prolonged(String relay, long sentAt, Duration lease) {
        state = new State(relay, sentAt + lease.toNanos());
    }

    /** Whether this relay, and not one that this process was before, has its lease for so long. */
    boolean lastsFor(Duration time, String relay) {
        State now = state;
        return now.end - System.nanoTime() > time.toNanos() && now.relay.equals(relay);
    }

    /** In nanoseconds; not positive if it has ended. */
    long left() {
        return state.end - System.nanoTime();
    }
}
