package io.inboxkit.kafka;

import io.inboxkit.InboxException;
import io.inboxkit.UndecidedMessageException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a listener says about the deliveries that it holds: at most one line a minute, not one per attempt. */
final class HeldLog {

    private static final Logger LOG = LoggerFactory.getLogger("io.inboxkit.kafka");

    private static final long INTERVAL = TimeUnit.MINUTES.toNanos(1);

    private final String listener;

    private final Line undecided = new Line();

    private final Line refused = new Line();

    HeldLog(String listener) {
        this.listener = listener;
    }

    void held(String position, InboxException reason, boolean first, int partitions) {
        if (reason instanceof UndecidedMessageException) {
            long attempts = undecided.attemptsToReport(false);
            if (attempts > 0) {
                LOG.warn(
                        "Listener '{}' cannot decide whether {} is new, holds {} partition(s) and tries again with"
                                + " back-off; nothing is lost or skipped ({} attempt(s) since the last such line, at"
                                + " most one a minute). Cause: {}",
                        listener,
                        position,
                        partitions,
                        attempts,
                        reason.getMessage());
            }
            return;
        }
        // One line at once for each refused message, since a human has to deal with it; then a reminder.
        long attempts = refused.attemptsToReport(first);
        if (attempts > 0) {
            LOG.error(
                    "Listener '{}' refused {} and holds it with its partition, since the container has no error"
                            + " handler that could take it elsewhere. Give the container factory a CommonErrorHandler"
                            + " bean, such as a DefaultErrorHandler with a DeadLetterPublishingRecoverer; or correct"
                            + " the producer and move the group past this offset; or let such messages be logged and"
                            + " skipped with inbox.reject.without-dead-letter=DROP. Cause: {}",
                    listener,
                    position,
                    reason.getMessage());
        }
    }

    /** Counts attempts between two lines. */
    private static final class Line {

        private final AtomicLong attempts = new AtomicLong();

        private final AtomicLong next = new AtomicLong(System.nanoTime());

        /** The attempts that a line has to report now, this one included, or 0 if it is too early for a line. */
        long attemptsToReport(boolean atOnce) {
            attempts.incrementAndGet();
            long now = System.nanoTime();
            long due = next.get();
            if ((atOnce || now - due >= 0) && next.compareAndSet(due, now + INTERVAL)) {
                return attempts.getAndSet(0);
            }
            return 0;
        }
    }
}
