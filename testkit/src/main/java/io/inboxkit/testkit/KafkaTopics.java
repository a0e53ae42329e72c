package io.inboxkit.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/** Topics of the {@link KafkaService}, and how far groups have read them. Every method waits for its result. */
public final class KafkaTopics {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private KafkaTopics() {}

    /** A name that no other test uses. */
    public static String uniqueName(String prefix) {
        return prefix + "-" + UUID.randomUUID().toString().substring(0, 8);
    }

    /** Creates a topic and returns when every partition has a leader that clients can see. */
    public static void create(String topic, int partitions) {
        create(topic, partitions, Map.of());
    }

    /** As {@link #create(String, int)}, with settings of the topic such as {@code cleanup.policy}. */
    public static void create(String topic, int partitions, Map<String, String> settings) {
        NewTopic newTopic = new NewTopic(topic, partitions, (short) 1).configs(settings);
        get(KafkaService.admin().createTopics(List.of(newTopic)).all());
        await("leaders of " + topic).atMost(LIMIT).ignoreExceptions().until(() -> hasLeaders(describe(topic)));
    }

    /** Creates a topic of a unique name and returns the name. */
    public static String createUnique(String prefix, int partitions) {
        String topic = uniqueName(prefix);
        create(topic, partitions);
        return topic;
    }

    /** Deletes a topic and returns when it is gone, so that it may be created again (with another id). */
    public static void delete(String topic) {
        get(KafkaService.admin().deleteTopics(List.of(topic)).all());
        await("end of " + topic)
                .atMost(LIMIT)
                .until(() -> !get(KafkaService.admin().listTopics().names()).contains(topic));
    }

    /** The id of a topic; another one after it was deleted and created again. */
    public static Uuid id(String topic) {
        return describe(topic).topicId();
    }

    /** Per partition, the offset after the last record. */
    public static Map<TopicPartition, Long> endOffsets(String topic) {
        Map<TopicPartition, OffsetSpec> latest = describe(topic).partitions().stream()
                .collect(Collectors.toMap(
                        partition -> new TopicPartition(topic, partition.partition()),
                        partition -> OffsetSpec.latest()));
        Map<TopicPartition, ListOffsetsResultInfo> ends =
                get(KafkaService.admin().listOffsets(latest).all());
        return ends.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, end -> end.getValue()
                .offset()));
    }

    /** What the group has committed for the topic; partitions without a commit are left out. */
    public static Map<TopicPartition, Long> committedOffsets(String group, String topic) {
        Map<TopicPartition, OffsetAndMetadata> committed =
                get(KafkaService.admin().listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
        return committed.entrySet().stream()
                .filter(entry -> entry.getKey().topic().equals(topic) && entry.getValue() != null)
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().offset()));
    }

    /** How many records of the topic the group has not committed. */
    public static long lag(String group, String topic) {
        Map<TopicPartition, Long> committed = committedOffsets(group, topic);
        return endOffsets(topic).entrySet().stream()
                .mapToLong(end -> end.getValue() - committed.getOrDefault(end.getKey(), 0L))
                .sum();
    }

    /** Returns when the group has committed everything that was in the topic. */
    public static void awaitNoLag(String group, String topic) {
        await("lag of " + group + " on " + topic)
                .atMost(LIMIT)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(lag(group, topic)).isZero());
    }

    /** Sets what the group, which must have no member, has committed for one partition. */
    public static void commit(String group, TopicPartition partition, long offset) {
        get(KafkaService.admin()
                .alterConsumerGroupOffsets(group, Map.of(partition, new OffsetAndMetadata(offset)))
                .all());
    }

    private static TopicDescription describe(String topic) {
        return get(KafkaService.admin().describeTopics(List.of(topic)).allTopicNames())
                .values()
                .iterator()
                .next();
    }

    private static boolean hasLeaders(TopicDescription topic) {
        return topic.partitions().stream()
                .allMatch(partition ->
                        partition.leader() != null && !partition.leader().isEmpty());
    }

    private static <T> T get(KafkaFuture<T> future) {
        try {
            return future.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka refused: " + e.getMessage(), e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("Kafka did not answer within " + LIMIT, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for Kafka", e);
        }
    }
}
