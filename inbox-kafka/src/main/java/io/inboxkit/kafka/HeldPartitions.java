package io.inboxkit.kafka;

import io.inboxkit.HeldDeliveries;
import io.inboxkit.InboxException;
import io.inboxkit.RejectedMessageException;
import io.inboxkit.UndecidedMessageException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.core.log.LogAccessor;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.listener.SeekUtils;
import org.springframework.scheduling.TaskScheduler;

/**
 * The partitions of one listener that stand still in front of a record that cannot go on: sought back to it, paused, and
 * resumed after a back-off of 1 s that doubles up to 30 s. The consumer keeps polling, so it stays in its group and its
 * other partitions go on. Shared by all consumer threads of the listener; thread-safe.
 */
final class HeldPartitions {

    private static final LogAccessor LOG = new LogAccessor(HeldPartitions.class);

    private static final Duration SWEEP_INTERVAL = Duration.ofMillis(250);

    private final Map<TopicPartition, HeldPartition> partitions = new ConcurrentHashMap<>();

    private final AtomicBoolean sweepScheduled = new AtomicBoolean();

    private final String listener;

    private final boolean holdRejected;

    private final HeldDeliveries deliveries;

    private final TaskScheduler scheduler;

    private final HeldLog log;

    /**
     * @param listener the id of the listener
     * @param holdRejected whether a refused message is held as well, since it has nowhere to go
     * @param deliveries what health reads
     * @param scheduler runs the resumption
     */
    HeldPartitions(String listener, boolean holdRejected, HeldDeliveries deliveries, TaskScheduler scheduler) {
        this.listener = listener;
        this.holdRejected = holdRejected;
        this.deliveries = deliveries;
        this.scheduler = scheduler;
        this.log = new HeldLog(listener);
    }

    /** Why the delivery that failed with this exception must be held, or {@code null} if it need not be. */
    @Nullable
    InboxException reasonToHold(Throwable failure) {
        int depth = 0;
        // The bound is against a cause chain that runs in a circle.
        for (Throwable cause = failure; cause != null && depth < 100; cause = cause.getCause(), depth++) {
            if (cause instanceof UndecidedMessageException undecided) {
                return undecided;
            }
            if (holdRejected && cause instanceof RejectedMessageException rejected) {
                return rejected;
            }
        }
        return null;
    }

    /**
     * Holds the first record. Called on the consumer's thread.
     *
     * @param remaining the failed record and all others of the poll that were not handled
     */
    void hold(
            List<ConsumerRecord<?, ?>> remaining,
            Consumer<?, ?> consumer,
            MessageListenerContainer container,
            InboxException reason) {
        ConsumerRecord<?, ?> failed = remaining.get(0);
        TopicPartition partition = partitionOf(failed);
        SeekUtils.doSeeksToBegin(remaining, consumer, LOG);
        HeldPartition before = partitions.get(partition);
        // A partition that the application itself has paused is the application's to resume.
        boolean pausedByUs = (before != null && before.paused()) || !container.isPartitionPauseRequested(partition);
        if (pausedByUs) {
            // Before the entry is there: the other way round a sweep could remove the entry and leave the pause behind.
            container.pausePartition(partition);
        }
        if (before != null && before.offset() != failed.offset()) {
            deliveries.release(listener, before.position());
        }
        HeldPartition held = HeldPartition.of(failed, before, pausedByUs, container);
        partitions.put(partition, held);
        boolean first = deliveries.hold(listener, held.position(), reason);
        log.held(held.position(), reason, first, partitions.size());
        scheduleSweep();
    }

    /** Notes that a record was handled, skipped, or is now the affair of the container's own error handling. */
    void wentOn(ConsumerRecord<?, ?> handled) {
        if (partitions.isEmpty()) {
            return;
        }
        TopicPartition partition = partitionOf(handled);
        HeldPartition held = partitions.get(partition);
        // A higher offset says that the held record is gone: expired, compacted, or skipped by an operator.
        if (held != null && handled.offset() >= held.offset()) {
            release(partition, held);
        }
    }

    /** Newly assigned partitions start afresh: whoever has handled them meanwhile, the record may be done. */
    void assigned(Collection<TopicPartition> assigned) {
        if (partitions.isEmpty()) {
            return;
        }
        // Only marked: resuming would wake up the consumer, which is in the middle of a rebalance.
        assigned.forEach(partition -> partitions.computeIfPresent(partition, (key, held) -> held.dueNow()));
    }

    /** How many partitions are held. */
    int size() {
        return partitions.size();
    }

    private void scheduleSweep() {
        if (!partitions.isEmpty() && sweepScheduled.compareAndSet(false, true)) {
            try {
                var unused = scheduler.schedule(this::sweep, Instant.now().plus(SWEEP_INTERVAL));
            } catch (TaskRejectedException e) {
                // The application is being closed. Without a sweep nobody would resume the partitions.
                sweepScheduled.set(false);
                partitions.forEach(this::release);
            }
        }
    }

    private void sweep() {
        sweepScheduled.set(false);
        try {
            partitions.forEach((partition, held) -> {
                if (!held.assigned(partition) || held.silent()) {
                    release(partition, held);
                } else if (held.due() && partitions.replace(partition, held, held.resumed()) && held.paused()) {
                    held.container().resumePartition(partition);
                }
            });
        } finally {
            scheduleSweep();
        }
    }

    private void release(TopicPartition partition, HeldPartition held) {
        if (partitions.remove(partition, held)) {
            deliveries.release(listener, held.position());
            if (held.paused()) {
                held.container().resumePartition(partition);
            }
            LOG.debug(() -> "Listener '%s' no longer holds %s".formatted(listener, held.position()));
        }
    }

    private static TopicPartition partitionOf(ConsumerRecord<?, ?> consumerRecord) {
        return new TopicPartition(consumerRecord.topic(), consumerRecord.partition());
    }
}
