package io.inboxkit.outbox;

import java.time.Duration;

/** Signals that messages were committed by other processes. Used by one thread only. */
public interface WakeUpSource extends AutoCloseable {

    /** What was heard. */
    enum Heard {
        /** Messages were committed. */
        SIGNAL,
        /** Nothing within the limit. */
        NOTHING,
        /** The connection is broken: it must be opened anew. */
        BROKEN
    }

    /**
     * Begins to listen, and checks that signals arrive.
     *
     * @return whether they do
     */
    boolean open() throws InterruptedException;

    /** Waits for a signal. */
    Heard await(Duration limit);

    @Override
    void close();
}
