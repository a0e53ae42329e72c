package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.inboxkit.InboxUnavailableException;
import io.inboxkit.TrackedPosition;
import io.inboxkit.testkit.KafkaTopics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A position is that of the topic which the record was fetched from, or it is not told. */
class TrackedTopicsIT {

    private final TopicAdmins admins = new TopicAdmins();

    private final String topic = TestBroker.newTopic(1);

    private final TopicPartition partition = new TopicPartition(topic, 0);

    private final TrackedTopics topics =
            new TrackedTopics(admins, Map.of("bootstrap.servers", TestBroker.bootstrapServers()));

    @AfterEach
    void close() {
        admins.close();
    }

    @Test
    void positionHasTheIdOfTheTopicAndTheEpochOfTheRecord() {
        TrackedPosition tracked = topics.of(record(42, 7), null);

        assertThat(tracked.position().source()).isEqualTo(currentId());
        assertThat(tracked.position().offset()).isEqualTo(42);
        assertThat(tracked.leaderEpoch()).isEqualTo(7);
        assertThat(topics.of(record(43, null), null).leaderEpoch()).isEqualTo(TrackedPosition.UNKNOWN_EPOCH);
        tracked.confirm();
    }

    @Test
    void recordOfATopicThatWasCreatedAgainIsFetchedAnewBeforeItIsSkipped() {
        topics.assigned(List.of(partition));
        TrackedPosition tracked = topics.of(record(3, 0), null);
        recreate();

        assertThatExceptionOfType(InboxUnavailableException.class)
                .isThrownBy(tracked::confirm)
                .withMessageContaining("was deleted and created again")
                .withMessageContaining("fetched anew");
        TrackedPosition again = topics.of(record(3, 0), null);
        assertThat(again.position().source())
                .isEqualTo(currentId())
                .isNotEqualTo(tracked.position().source());
        again.confirm();
    }

    @Test
    void idIsReadAnewAtAnAssignment() {
        topics.assigned(List.of(partition));
        UUID before = topics.of(record(3, 0), null).position().source();
        recreate();
        topics.assigned(List.of(partition));

        assertThat(topics.of(record(3, 0), null).position().source())
                .isEqualTo(currentId())
                .isNotEqualTo(before);
    }

    @Test
    void brokerIsAskedOnceForTheRecordsThatWereFetchedTogether() {
        try (Consumer<String, String> consumer = new KafkaConsumer<>(TestBroker.consumerConfig())) {
            consumer.assign(List.of(partition));
            consumer.seek(partition, 10);
            topics.of(record(3, 0), consumer).confirm();
            recreate();

            topics.of(record(4, 0), consumer).confirm();
            topics.of(record(9, 0), consumer).confirm();
            assertThatExceptionOfType(InboxUnavailableException.class)
                    .isThrownBy(() -> topics.of(record(9, 0), consumer).confirm());
        }
    }

    @Test
    void recordsBeyondTheFetchedOnesAreAskedForAnew() {
        try (Consumer<String, String> consumer = new KafkaConsumer<>(TestBroker.consumerConfig())) {
            consumer.assign(List.of(partition));
            consumer.seek(partition, 10);
            topics.of(record(3, 0), consumer).confirm();
            recreate();

            assertThatExceptionOfType(InboxUnavailableException.class)
                    .isThrownBy(() -> topics.of(record(10, 0), consumer).confirm());
        }
    }

    @Test
    void withoutTheIdOfTheTopicThereIsNoPosition() {
        TestBroker.deleteTopic(topic);

        await().untilAsserted(() -> assertThatExceptionOfType(InboxUnavailableException.class)
                .isThrownBy(() -> topics.of(record(1, 0), null))
                .withMessageContaining("the right to describe"));
    }

    private void recreate() {
        UUID before = currentId();
        TestBroker.deleteTopic(topic);
        await().ignoreExceptions().until(() -> {
            TestBroker.createTopic(topic, 1);
            return true;
        });
        await().ignoreExceptions().until(() -> !currentId().equals(before));
    }

    private UUID currentId() {
        Uuid id = KafkaTopics.id(topic);
        return new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }

    private ConsumerRecord<String, String> record(long offset, @Nullable Integer leaderEpoch) {
        return new ConsumerRecord<>(
                topic,
                0,
                offset,
                0L,
                TimestampType.CREATE_TIME,
                3,
                5,
                "key",
                "value",
                new RecordHeaders(),
                Optional.ofNullable(leaderEpoch));
    }
}
