package io.inboxkit.rabbitmq;

import io.inboxkit.HeldDeliveries;
import io.inboxkit.InboxException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Holds deliveries that can neither be handled nor ended now: the consumer's thread waits, with the delivery unacknowledged,
 * and tries again. So nothing is counted as a failed delivery, neither here nor by the broker. Thread-safe.
 */
final class HeldMessages {

    private static final long FIRST_PAUSE = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(30);
    private static final long GLANCE = TimeUnit.MILLISECONDS.toNanos(50);

    private final String listener;
    private final HeldDeliveries deliveries;
    private final HeldLog log;
    private final BooleanSupplier active;
    private final Duration limit;

    /**
     * @param active whether the container goes on
     * @param limit how long a delivery is held before it is returned to its queue; shorter than the time after which the
     *     broker closes the channel of an unacknowledged delivery
     */
    HeldMessages(String listener, HeldDeliveries deliveries, BooleanSupplier active, Duration limit) {
        this.listener = listener;
        this.deliveries = deliveries;
        this.log = new HeldLog(listener);
        this.active = active;
        this.limit = limit;
    }

    /**
     * For one delivery, which is not held yet.
     *
     * @param position where it stands
     */
    Hold hold(String position) {
        return new Hold(position);
    }

    /** The holding of one delivery. Confined to its thread. */
    final class Hold {

        private final String position;
        private final long start = System.nanoTime();
        private long pause = FIRST_PAUSE;
        private boolean held;

        private Hold(String position) {
            this.position = position;
        }

        /** Whether the delivery has not been held yet. */
        boolean isFirst() {
            return !held;
        }

        /**
         * Waits until it is time to try again.
         *
         * @return false if there is no more time: the delivery must go back to its queue
         */
        boolean pause(InboxException reason) {
            boolean first = deliveries.hold(listener, position, reason);
            held = true;
            log.held(position, reason, first);
            long now = System.nanoTime();
            long end = now + pause;
            pause = Math.min(2 * pause, LONGEST_PAUSE);
            while (active.getAsBoolean() && end - System.nanoTime() > 0) {
                LockSupport.parkNanos(this, Math.min(GLANCE, end - System.nanoTime()));
            }
            return active.getAsBoolean() && System.nanoTime() - start < limit.toNanos();
        }

        /** The delivery goes on, or back. */
        void end() {
            if (held) {
                deliveries.release(listener, position);
            }
        }
    }
}
