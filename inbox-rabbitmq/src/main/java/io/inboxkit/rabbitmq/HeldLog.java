package io.inboxkit.rabbitmq;

import io.inboxkit.InboxException;
import io.inboxkit.UndecidedMessageException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a listener says about the deliveries that it holds: at most one line a minute, not one per attempt. */
final class HeldLog {

    private static final Logger LOG = LoggerFactory.getLogger("io.inboxkit.rabbitmq");

    private static final long INTERVAL = TimeUnit.MINUTES.toNanos(1);

    private final String listener;

    private final Line undecided = new Line();

    private final Line refused = new Line();

    HeldLog(String listener) {
        this.listener = listener;
    }

    void held(String position, InboxException reason, boolean first) {
        if (reason instanceof UndecidedMessageException) {
            long attempts = undecided.attemptsToReport(false);
            if (attempts > 0) {
                LOG.warn(
                        "Listener '{}' cannot decide whether {} is new, holds it unacknowledged and tries again with"
                                + " back-off; nothing is lost or skipped ({} attempt(s) since the last such line, at"
                                + " most one a minute). Cause: {}",
                        listener,
                        position,
                        attempts,
                        reason.getMessage());
            }
            return;
        }
        // One line at once for each refused message, since a human has to deal with it; then a reminder.
        long attempts = refused.attemptsToReport(first);
        if (attempts > 0) {
            LOG.error(
                    "Listener '{}' refused {} and holds it, with those behind it, since its queue has no dead-letter"
                            + " exchange that could take it. Declare the queue with x-dead-letter-exchange; where a"
                            + " policy sets one, which clients cannot see, or where such messages may be lost, set"
                            + " inbox.reject.without-dead-letter=DROP; or correct the producer and remove the message"
                            + " from the queue while the listener is stopped. Cause: {}",
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
