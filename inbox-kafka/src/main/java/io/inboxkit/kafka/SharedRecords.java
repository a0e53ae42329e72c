package io.inboxkit.kafka;

import io.inboxkit.HeldDeliveries;
import io.inboxkit.InboxUnavailableException;
import io.inboxkit.UndecidedMessageException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.TaskScheduler;

/**
 * The records of a share group. A delivery that could not be decided keeps its lock, which is renewed, and comes again with the next
 * poll: to accept it would lose it, and each release or failure counts as a delivery, of which the broker allows five before it
 * gives the record up. Thread-safe; each consumer thread pauses for itself.
 */
final class SharedRecords implements DeliveryHandling {

    private static final Logger LOG = LoggerFactory.getLogger("io.inboxkit.kafka");

    private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

    private final String listener;
    private final DeliveryHandling inbox;
    private final HeldDeliveries deliveries;
    private final boolean acknowledges;
    private final TaskScheduler scheduler;
    private final Duration silence;
    /** When a held record was here last, by {@link System#nanoTime()}. */
    private final Map<String, Long> seen = new ConcurrentHashMap<>();

    private final ThreadLocal<Pause> pauses = ThreadLocal.withInitial(Pause::new);

    /**
     * @param listener the id of the listener
     * @param acknowledges whether a record is accepted when its handler has returned, without having said so
     * @param scheduler forgets held records that another consumer has got
     * @param silence for how long nothing must be heard of a held record before it is forgotten
     */
    SharedRecords(
            String listener,
            DeliveryHandling inbox,
            HeldDeliveries deliveries,
            boolean acknowledges,
            TaskScheduler scheduler,
            Duration silence) {
        this.listener = listener;
        this.inbox = inbox;
        this.deliveries = deliveries;
        this.acknowledges = acknowledges;
        this.scheduler = scheduler;
        this.silence = silence;
    }

    @Override
    public @Nullable Object handle(RecordDelivery delivery) {
        if (acknowledges) {
            delivery.acknowledgeOnReturn();
        }
        Pause pause = pauses.get();
        if (pause.holds(delivery.position())) {
            seen.computeIfPresent(delivery.position(), (position, before) -> System.nanoTime());
            delivery.postpone();
            return null;
        }
        try {
            Object result = inbox.handle(delivery);
            release(delivery.position());
            return result;
        } catch (UndecidedMessageException e) {
            hold(delivery, e);
            // A single message that is in progress says nothing about the others.
            if (e instanceof InboxUnavailableException) {
                pause.begin(delivery.position());
            }
            delivery.postpone();
            return null;
        } catch (Throwable failure) {
            release(delivery.position());
            throw failure;
        }
    }

    private void hold(RecordDelivery delivery, UndecidedMessageException reason) {
        if (deliveries.hold(listener, delivery.position(), reason)) {
            LOG.warn(
                    "Listener '{}' holds {} and tries it again every second: {}",
                    listener,
                    delivery.position(),
                    reason.getMessage());
        }
        if (seen.put(delivery.position(), System.nanoTime()) == null) {
            forgetLater(delivery.position());
        }
    }

    private void release(String position) {
        if (!seen.isEmpty() && seen.remove(position) != null) {
            deliveries.release(listener, position);
        }
    }

    private void forgetLater(String position) {
        var unused =
                scheduler.schedule(() -> forgetIfSilent(position), Instant.now().plus(silence));
    }

    /** A lock that could not be renewed has given the record to another consumer, which does not tell. */
    private void forgetIfSilent(String position) {
        Long last = seen.get(position);
        if (last == null) {
            return;
        }
        if (System.nanoTime() - last >= silence.toNanos()) {
            release(position);
        } else {
            forgetLater(position);
        }
    }

    /** While the database is away, one record is tried each second and the others of the poll only keep their locks. */
    private static final class Pause {

        private long until = System.nanoTime();
        private String tried = "";

        void begin(String position) {
            tried = position;
            until = System.nanoTime() + PAUSE;
        }

        /** Whether a record must wait for the next poll; the one that was tried last has come round, and waits here. */
        boolean holds(String position) {
            long remaining = until - System.nanoTime();
            if (remaining > 0 && position.equals(tried)) {
                LockSupport.parkNanos(remaining);
                return false;
            }
            return remaining > 0;
        }
    }
}
