package io.inboxkit;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Hears what becomes of messages; metrics are one. Called on the thread that processes the message, after its transaction
 * has ended. Must not throw.
 */
public interface InboxObserver {

    /** An observer that does nothing. */
    InboxObserver NONE = new InboxObserver() {};

    /** A message was handled, skipped or refused. */
    default void outcome(String consumer, MessageOutcome outcome) {}

    /**
     * A duplicate was skipped.
     *
     * @param origin why it came again
     * @param position where this delivery stands, or {@code null}
     * @param first where the delivery that was processed stood, or {@code null}
     */
    default void duplicate(
            String consumer, DuplicateOrigin origin, @Nullable Position position, @Nullable Position first) {}

    /** A claim took this long, waiting for a concurrent duplicate included. */
    default void claimed(String consumer, Duration duration) {}

    /** Begin to commit or rollback took this long, the handler included. */
    default void finished(String consumer, Duration duration) {}

    /** The purge deleted this many ids. */
    default void purged(String consumer, int count) {}

    /** What a message ended as, in the words of the metric {@code inbox.messages}. */
    enum MessageOutcome {
        PROCESSED,
        DUPLICATE,
        REUSED_ID,
        MISSING_ID,
        STALE,
        IN_PROGRESS,
        FAILED
    }
}
