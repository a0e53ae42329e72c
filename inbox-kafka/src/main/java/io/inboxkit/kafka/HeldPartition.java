package io.inboxkit.kafka;

import java.time.Duration;
import java.util.Collection;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * A partition that stands still.
 *
 * @param position where, such as {@code payments-0@42}
 * @param offset the offset of the record that cannot go on
 * @param delay how long it stands still this time
 * @param resumeAt when it is tried again, by {@link System#nanoTime()}
 * @param waiting whether that is still to come
 * @param paused whether it is paused, and by us
 * @param container the listener's container
 */
record HeldPartition(
        String position,
        long offset,
        Duration delay,
        long resumeAt,
        boolean waiting,
        boolean paused,
        MessageListenerContainer container) {

    private static final Duration FIRST_DELAY = Duration.ofSeconds(1);

    private static final Duration LONGEST_DELAY = Duration.ofSeconds(30);

    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(5);

    static HeldPartition of(
            ConsumerRecord<?, ?> failed,
            @Nullable HeldPartition before,
            boolean paused,
            MessageListenerContainer container) {
        Duration delay = FIRST_DELAY;
        if (before != null && before.offset == failed.offset()) {
            Duration doubled = before.delay.multipliedBy(2);
            delay = doubled.compareTo(LONGEST_DELAY) < 0 ? doubled : LONGEST_DELAY;
        }
        String position = failed.topic() + "-" + failed.partition() + "@" + failed.offset();
        long resumeAt = System.nanoTime() + delay.toNanos();
        return new HeldPartition(position, failed.offset(), delay, resumeAt, true, paused, container);
    }

    boolean due() {
        return waiting && System.nanoTime() - resumeAt >= 0;
    }

    /**
     * Whether nothing has been heard of the record for a long time although it may go on: a filter drops it now, an
     * operator has skipped it, or its handler is busy with it. In no case is it held any more.
     */
    boolean silent() {
        return !waiting && System.nanoTime() - resumeAt > LONGEST_SILENCE.toNanos();
    }

    HeldPartition dueNow() {
        return new HeldPartition(position, offset, FIRST_DELAY, System.nanoTime(), true, paused, container);
    }

    HeldPartition resumed() {
        return new HeldPartition(position, offset, delay, resumeAt, false, paused, container);
    }

    /** Whether the container still owns the partition: after a stop, a rebalance or a lost session it does not. */
    boolean assigned(TopicPartition partition) {
        if (!container.isRunning()) {
            return false;
        }
        Collection<TopicPartition> assigned = container.getAssignedPartitions();
        return assigned != null && assigned.contains(partition);
    }
}
