package io.inboxkit.kafka;

import io.inboxkit.jdbc.ReplayPartitionRow;
import io.inboxkit.kafka.ReplayRequest.Bound;
import io.inboxkit.kafka.ReplayRequest.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.support.TopicPartitionOffset;

/** Makes offsets of what is asked for: asks the broker once, by the consumer settings of the listener. */
final class ReplayRange {

    private final String listener;
    private final MethodKafkaListenerEndpoint<?, ?> endpoint;
    private final AbstractMessageListenerContainer<?, ?> container;
    private final Function<String, @Nullable UUID> topicIds;

    /**
     * @param container the container of the live listener
     * @param topicIds asks for the id of a topic
     */
    ReplayRange(
            InboxListener listener,
            AbstractMessageListenerContainer<?, ?> container,
            Function<String, @Nullable UUID> topicIds) {
        this.listener = listener.id();
        this.endpoint = listener.endpoint();
        this.container = container;
        this.topicIds = topicIds;
    }

    /**
     * The partitions to read; those in which there is nothing to read are left out.
     *
     * @throws IllegalArgumentException if the listener does not read a topic, or a topic has not such a partition
     */
    List<ReplayPartitionRow> resolve(Settings request) {
        Properties properties = ContainerConsumerFactory.overrides(container);
        properties.setProperty(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        try (Consumer<?, ?> consumer = ContainerConsumerFactory.of(container)
                .createConsumer(container.getGroupId(), listener + "-replay-range", null, properties)) {
            return resolve(request, consumer);
        }
    }

    private List<ReplayPartitionRow> resolve(Settings request, Consumer<?, ?> consumer) {
        Set<TopicPartition> partitions = new LinkedHashSet<>();
        Set<TopicPartition> own = ownPartitions();
        for (String topic : topics(request, consumer)) {
            partitions.addAll(partitionsOf(topic, request, own, consumer));
        }
        Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(partitions);
        Map<TopicPartition, Long> ends = new HashMap<>(consumer.endOffsets(partitions));
        if (!request.deadLetters()) {
            Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(partitions);
            ends.replaceAll((partition, end) -> {
                OffsetAndMetadata offset = committed.get(partition);
                return offset == null ? 0 : Math.min(end, offset.offset());
            });
        }
        Map<TopicPartition, Long> from = offsets(request.from(), partitions, consumer);
        Map<TopicPartition, Long> to = offsets(request.to(), partitions, consumer);
        Map<String, @Nullable UUID> ids = new HashMap<>();
        List<ReplayPartitionRow> rows = new ArrayList<>();
        for (TopicPartition partition : partitions) {
            long beginning = beginnings.getOrDefault(partition, 0L);
            long end = ends.getOrDefault(partition, 0L);
            long first = Math.max(beginning, from.getOrDefault(partition, unbounded(request.from(), beginning)));
            long last = Math.min(end, to.getOrDefault(partition, end));
            if (first < last) {
                UUID id = ids.computeIfAbsent(partition.topic(), topicIds);
                rows.add(new ReplayPartitionRow(
                        partition.topic(),
                        partition.partition(),
                        id,
                        first,
                        last,
                        first,
                        ReplayPartitionRow.Counts.NONE));
            }
        }
        return rows;
    }

    /** Where the records begin if no offset is known: nowhere, if none is as young as the time that is asked for. */
    private static long unbounded(Bound from, long beginning) {
        return from.time() == null ? beginning : Long.MAX_VALUE;
    }

    private static Map<TopicPartition, Long> offsets(
            Bound bound, Set<TopicPartition> partitions, Consumer<?, ?> consumer) {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        Long offset = bound.offset();
        if (offset != null) {
            partitions.forEach(partition -> offsets.put(partition, offset));
        } else if (bound.time() != null) {
            Map<TopicPartition, Long> times = new HashMap<>();
            long time = bound.time().toEpochMilli();
            partitions.forEach(partition -> times.put(partition, time));
            Map<TopicPartition, OffsetAndTimestamp> found = consumer.offsetsForTimes(times);
            found.forEach((partition, at) -> {
                if (at != null) {
                    offsets.put(partition, at.offset());
                }
            });
        }
        return offsets;
    }

    private Set<String> topics(Settings request, Consumer<?, ?> consumer) {
        Set<String> read = new LinkedHashSet<>();
        if (endpoint.getTopicPattern() != null) {
            consumer.listTopics().keySet().stream()
                    .filter(topic -> endpoint.getTopicPattern().matcher(topic).matches())
                    .forEach(read::add);
        }
        read.addAll(endpoint.getTopics() == null ? Set.of() : endpoint.getTopics());
        ownPartitions().forEach(partition -> read.add(partition.topic()));
        if (request.topics().isEmpty()) {
            return read;
        }
        Set<String> asked = new LinkedHashSet<>(request.topics());
        for (String topic : asked) {
            if (read.contains(topic) == request.deadLetters()) {
                throw new IllegalArgumentException(
                        request.deadLetters()
                                ? "The topic '" + topic + "' is no dead-letter topic of the listener '" + listener
                                        + "', which reads it itself. Replay it by topics(…)"
                                : "The listener '" + listener + "' does not read the topic '" + topic + "' but " + read
                                        + ". Name one of these, or, if it is a dead-letter topic, use deadLetters(…)");
            }
        }
        return asked;
    }

    private Set<TopicPartition> ownPartitions() {
        Set<TopicPartition> own = new HashSet<>();
        TopicPartitionOffset[] assigned = endpoint.getTopicPartitionsToAssign();
        if (assigned != null) {
            for (TopicPartitionOffset partition : assigned) {
                own.add(partition.getTopicPartition());
            }
        }
        return own;
    }

    private Set<TopicPartition> partitionsOf(
            String topic, Settings request, Set<TopicPartition> own, Consumer<?, ?> consumer) {
        List<PartitionInfo> infos = consumer.partitionsFor(topic);
        Set<TopicPartition> all = new LinkedHashSet<>();
        if (infos != null) {
            infos.forEach(info -> all.add(new TopicPartition(topic, info.partition())));
        }
        if (!own.isEmpty() && !request.deadLetters()) {
            all.retainAll(own);
        }
        if (all.isEmpty()) {
            throw new IllegalArgumentException("The topic '" + topic + "' cannot be replayed through the listener '"
                    + listener + "': the broker knows no partitions of it. Check the name of the topic");
        }
        if (request.partitions().isEmpty()) {
            return all;
        }
        Set<TopicPartition> asked = new LinkedHashSet<>();
        for (int partition : request.partitions()) {
            TopicPartition one = new TopicPartition(topic, partition);
            if (!all.contains(one)) {
                throw new IllegalArgumentException("The listener '" + listener + "' does not read partition "
                        + partition + " of the topic '" + topic + "'. It reads " + all);
            }
            asked.add(one);
        }
        return asked;
    }
}
