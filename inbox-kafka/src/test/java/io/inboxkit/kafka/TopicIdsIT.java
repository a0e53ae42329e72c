package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.inboxkit.Position;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.support.KafkaHeaders;

class TopicIdsIT {

    private final TopicAdmins admins = new TopicAdmins();

    private final String topic = TestBroker.newTopic(2);

    private final TopicIds ids = topicIds(TestBroker.bootstrapServers());

    @AfterEach
    void close() {
        admins.close();
    }

    @Test
    void positionIsThatOfTheTopicsId() throws Exception {
        assertThat(ids.of(record(1, 42))).isEqualTo(new Position(idOf(topic), 1, 42));
    }

    @Test
    void topicThatIsCreatedAgainIsAnotherOneAsSoonAsOffsetsBeginAnew() throws Exception {
        Position before = ids.of(record(0, 7));
        recreate();
        Position after = ids.of(record(0, 7));
        assertThat(before).isNotNull();
        assertThat(after).isNotNull().isNotEqualTo(before).isEqualTo(new Position(idOf(topic), 0, 7));
    }

    @Test
    void topicThatIsCreatedAgainIsAnotherOneAfterTheNextAssignment() throws Exception {
        ids.assigned(List.of(new TopicPartition(topic, 0)));
        Position before = ids.of(record(0, 7));
        recreate();
        ids.assigned(List.of(new TopicPartition(topic, 0)));
        Position after = ids.of(record(0, 8));
        assertThat(before).isNotNull();
        assertThat(after).isNotNull().isEqualTo(new Position(idOf(topic), 0, 8));
        assertThat(after.source()).isNotEqualTo(before.source());
    }

    @Test
    void brokerIsNotAskedWhileOffsetsIncrease() {
        Position first = ids.of(record(0, 1));
        TestBroker.deleteTopic(topic);
        assertThat(first).isNotNull();
        assertThat(ids.of(record(0, 2))).isEqualTo(new Position(first.source(), 0, 2));
    }

    @Test
    void copyHasThePositionOfItsFirstOriginal() throws Exception {
        ConsumerRecord<String, String> copy = new ConsumerRecord<>(TestBroker.newTopic(1), 0, 3, "key", "value");
        addOrigin(copy, topic, 1, 99);
        addOrigin(copy, "another-retry-topic", 0, 5);
        assertThat(ids.ofOriginal(copy)).isEqualTo(new Position(idOf(topic), 1, 99));
    }

    @Test
    void copyWithoutOrWithOddOriginHasNoOriginalPosition() {
        assertThat(ids.ofOriginal(record(0, 1))).isNull();
        ConsumerRecord<String, String> copy = record(0, 1);
        copy.headers().add(KafkaHeaders.ORIGINAL_TOPIC, topic.getBytes(StandardCharsets.UTF_8));
        copy.headers().add(KafkaHeaders.ORIGINAL_PARTITION, "one".getBytes(StandardCharsets.UTF_8));
        copy.headers().add(KafkaHeaders.ORIGINAL_OFFSET, new byte[0]);
        assertThat(ids.ofOriginal(copy)).isNull();
    }

    @Test
    void unknownTopicHasNoPositionAndIsNotAskedForAgainAtOnce() {
        String unknown = "unknown-" + UUID.randomUUID();
        assertThat(ids.of(new ConsumerRecord<>(unknown, 0, 1, "key", "value"))).isNull();
        TestBroker.createTopic(unknown, 1);
        assertThat(ids.of(new ConsumerRecord<>(unknown, 0, 2, "key", "value"))).isNull();
    }

    @Test
    void brokerThatDoesNotAnswerCostsFiveSecondsOnce() {
        TopicIds nowhere = topicIds("localhost:1");
        long start = System.nanoTime();
        assertThat(nowhere.of(record(0, 1))).isNull();
        assertThat(nowhere.of(record(0, 2))).isNull();
        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start)).isLessThan(8);
    }

    private void recreate() {
        UUID before = idOfUnchecked();
        TestBroker.deleteTopic(topic);
        await().ignoreExceptions().until(() -> {
            TestBroker.createTopic(topic, 2);
            return true;
        });
        await().ignoreExceptions().until(() -> !idOf(topic).equals(before));
    }

    private UUID idOfUnchecked() {
        try {
            return idOf(topic);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static UUID idOf(String topic) throws Exception {
        try (Admin admin = TestBroker.admin()) {
            Uuid id = admin.describeTopics(List.of(topic))
                    .allTopicNames()
                    .get(30, TimeUnit.SECONDS)
                    .values()
                    .iterator()
                    .next()
                    .topicId();
            return new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits());
        }
    }

    private TopicIds topicIds(String bootstrapServers) {
        Map<String, Object> config = TestBroker.consumerConfig();
        config.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        return new TopicIds(
                admins,
                new ConcurrentMessageListenerContainer<>(
                        new DefaultKafkaConsumerFactory<>(config), new ContainerProperties(topic)));
    }

    private ConsumerRecord<String, String> record(int partition, long offset) {
        return new ConsumerRecord<>(topic, partition, offset, "key", "value");
    }

    private static void addOrigin(ConsumerRecord<?, ?> copy, String topic, int partition, long offset) {
        copy.headers().add(KafkaHeaders.ORIGINAL_TOPIC, topic.getBytes(StandardCharsets.UTF_8));
        copy.headers()
                .add(
                        KafkaHeaders.ORIGINAL_PARTITION,
                        ByteBuffer.allocate(Integer.BYTES).putInt(partition).array());
        copy.headers()
                .add(
                        KafkaHeaders.ORIGINAL_OFFSET,
                        ByteBuffer.allocate(Long.BYTES).putLong(offset).array());
    }
}
