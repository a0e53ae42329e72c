package io.inboxkit.kafka;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A consumer that reads the range of a replay and commits nothing: how far the container has come is what it asks for next.
 * Everything of a partition before the position with which it polls again is settled, except while it has paused the
 * partition, since then it may still keep records in memory. Confined to the consumer's thread, except for the wake-up.
 */
final class ReplayConsumer<K, V> implements InvocationHandler {

    private final Consumer<K, V> consumer;
    private final ReplayReader reader;
    private final Set<TopicPartition> pausedByContainer = new HashSet<>();
    private final Set<TopicPartition> atEnd = new HashSet<>();

    ReplayConsumer(Consumer<K, V> consumer, ReplayReader reader) {
        this.consumer = consumer;
        this.reader = reader;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        @Nullable Object[] given = arguments == null ? new Object[0] : arguments;
        switch (method.getName()) {
            case "poll" -> {
                return poll(given[0] instanceof Duration timeout ? timeout : Duration.ZERO);
            }
            case "commitSync" -> {
                return null;
            }
            case "commitAsync" -> {
                if (given.length > 0 && given[given.length - 1] instanceof OffsetCommitCallback callback) {
                    callback.onComplete(Map.of(), null);
                }
                return null;
            }
            case "committed" -> {
                return committed(partitions(given));
            }
            case "pause" -> {
                pausedByContainer.addAll(partitions(given));
                return call(method, given);
            }
            case "resume" -> {
                resume(partitions(given));
                return null;
            }
            case "paused" -> {
                return Set.copyOf(pausedByContainer);
            }
            case "seek" -> {
                seek((TopicPartition) Objects.requireNonNull(given[0]), Objects.requireNonNull(given[1]));
                return null;
            }
            case "seekToBeginning", "seekToEnd" -> {
                // The range is the run's own; a listener that seeks when it gets its partitions means its live
                // consumer.
                return null;
            }
            case "wakeup" -> {
                reader.wakeUp();
                return call(method, given);
            }
            default -> {
                return call(method, given);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static Collection<TopicPartition> partitions(@Nullable Object[] arguments) {
        return (Collection<TopicPartition>) Objects.requireNonNull(arguments[0]);
    }

    private ConsumerRecords<K, V> poll(Duration timeout) {
        Map<TopicPartition, Long> positions = new HashMap<>();
        for (TopicPartition partition : consumer.assignment()) {
            if (!pausedByContainer.contains(partition)) {
                positions.put(partition, consumer.position(partition));
            }
        }
        if (!reader.goesOn(positions) || !reader.awaitTurn(timeout)) {
            return ConsumerRecords.empty();
        }
        ConsumerRecords<K, V> polled = consumer.poll(timeout);
        Map<TopicPartition, List<ConsumerRecord<K, V>>> kept = new HashMap<>();
        for (TopicPartition partition : polled.partitions()) {
            List<ConsumerRecord<K, V>> within = within(partition, polled.records(partition), positions);
            if (!within.isEmpty()) {
                kept.put(partition, within);
            }
        }
        if (polled.isEmpty()) {
            reader.nothingCame(positions, consumer);
        }
        pauseAtEnd();
        return new ConsumerRecords<>(kept, polled.nextOffsets());
    }

    private List<ConsumerRecord<K, V>> within(
            TopicPartition partition, List<ConsumerRecord<K, V>> records, Map<TopicPartition, Long> positions) {
        long end = reader.end(partition);
        List<ConsumerRecord<K, V>> within = new ArrayList<>(records.size());
        for (ConsumerRecord<K, V> delivered : records) {
            if (delivered.offset() < end) {
                within.add(delivered);
            }
        }
        Long expected = positions.get(partition);
        if (expected != null && !records.isEmpty() && records.get(0).offset() < expected) {
            reader.wentBack(partition);
            return List.of();
        }
        return reader.sift(partition, within);
    }

    private void pauseAtEnd() {
        for (TopicPartition partition : consumer.assignment()) {
            if (!atEnd.contains(partition) && consumer.position(partition) >= reader.end(partition)) {
                atEnd.add(partition);
                consumer.pause(Set.of(partition));
            }
        }
    }

    private Map<TopicPartition, OffsetAndMetadata> committed(Collection<TopicPartition> partitions) {
        Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
        partitions.forEach(partition -> committed.put(partition, new OffsetAndMetadata(consumer.position(partition))));
        return committed;
    }

    private void resume(Collection<TopicPartition> partitions) {
        pausedByContainer.removeAll(partitions);
        Set<TopicPartition> resumed = new HashSet<>(partitions);
        resumed.removeAll(atEnd);
        consumer.resume(resumed);
    }

    /** The container seeks back to a record that is to be delivered again; never before the range. */
    private void seek(TopicPartition partition, Object target) {
        long offset = target instanceof OffsetAndMetadata metadata ? metadata.offset() : (Long) target;
        consumer.seek(partition, Math.max(offset, reader.from(partition)));
        if (offset < reader.end(partition) && atEnd.remove(partition) && !pausedByContainer.contains(partition)) {
            consumer.resume(Set.of(partition));
        }
    }

    private @Nullable Object call(Method method, @Nullable Object[] arguments) throws Throwable {
        try {
            return method.invoke(consumer, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
