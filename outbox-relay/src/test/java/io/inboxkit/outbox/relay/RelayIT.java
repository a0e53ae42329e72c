package io.inboxkit.outbox.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.inboxkit.outbox.OutboxMessage;
import io.inboxkit.testkit.KafkaRecords;
import io.inboxkit.testkit.KafkaTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RelayIT {

    @RegisterExtension
    static final RelayFixture outbox = new RelayFixture();

    @Test
    void committedMessageIsPublishedAsItWasWritten() {
        String topic = KafkaTopics.createUnique("relay", 3);
        outbox.start();
        String id = outbox.publish(OutboxMessage.to("kafka:" + topic)
                .key("k-1")
                .type("OrderPlaced")
                .header("own", new byte[] {0, -1})
                .header("own", "again")
                .header("id", (String) null)
                .payload("päyload"));

        ConsumerRecord<@Nullable String, byte @Nullable []> record =
                Wire.received(topic, 1).records().get(0);
        assertThat(record.key()).isEqualTo("k-1");
        assertThat(record.value()).isEqualTo("päyload".getBytes(UTF_8));
        assertThat(record.headers().toArray())
                .extracting(Header::key)
                .containsExactly("message-id", "type", "own", "own", "id");
        assertThat(new String(record.headers().lastHeader("message-id").value(), UTF_8))
                .isEqualTo(id);
        assertThat(record.timestamp()).isCloseTo(System.currentTimeMillis(), within(60_000L));
        await().untilAsserted(() -> assertThat(outbox.waiting()).isZero());
    }

    @Test
    void tombstoneIsPublished() {
        String topic = KafkaTopics.createUnique("relay", 1);
        outbox.start();
        outbox.publish(OutboxMessage.to("kafka:" + topic).key("k"));

        assertThat(Wire.received(topic, 1).records().get(0).value()).isNull();
    }

    @Test
    void backlogIsPublishedInOrderPerKeyAndOnce() {
        String topic = KafkaTopics.createUnique("relay", 3);
        List<OutboxMessage> messages = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            messages.add(OutboxMessage.to("kafka:" + topic).key("k" + i % 100).payload("" + i));
        }
        outbox.publishAll(messages);
        outbox.start();

        Wire wire = Wire.received(topic, 20_000);
        wire.assertFirstCopiesInOrder();
        wire.assertNoRepeats();
        await().untilAsserted(() -> assertThat(outbox.waiting()).isZero());
    }

    @Test
    void manyMessagesOfOneKeyDoNotKeepOthersOut() {
        String topic = KafkaTopics.createUnique("relay", 3);
        List<OutboxMessage> messages = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            messages.add(OutboxMessage.to("kafka:" + topic).key("hot").payload("" + i));
        }
        for (int i = 0; i < 200; i++) {
            messages.add(OutboxMessage.to("kafka:" + topic).key("cold" + i).payload("" + i));
        }
        outbox.publishAll(messages);
        outbox.start();

        Wire wire = Wire.received(topic, 2_200);
        wire.assertFirstCopiesInOrder();
        var records = wire.records();
        long lastCold = records.stream()
                .filter(record -> !"hot".equals(record.key()))
                .mapToLong(ConsumerRecord::timestamp)
                .max()
                .orElseThrow();
        long lastHot = records.stream()
                .filter(record -> "hot".equals(record.key()))
                .mapToLong(ConsumerRecord::timestamp)
                .max()
                .orElseThrow();
        assertThat(lastCold).isLessThan(lastHot);
    }

    @Test
    void severalRelaysShareTheWorkAndPublishOnce() {
        String topic = KafkaTopics.createUnique("relay", 3);
        Relay one = outbox.start();
        Relay two = outbox.start();
        Relay three = outbox.start();
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(List.of(one, two, three))
                .extracting(relay -> relay.state().partitions())
                .allMatch(count -> count >= 10 && count <= 11));
        List<OutboxMessage> messages = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            messages.add(OutboxMessage.to("kafka:" + topic).key("k" + i % 300).payload("" + i));
        }
        outbox.publishAll(messages);

        Wire.received(topic, 10_000).assertFirstCopiesInOrder();
        await().untilAsserted(() -> assertThat(outbox.waiting()).isZero());
        one.stop();
        await().atMost(Duration.ofSeconds(5)).untilAsserted(() -> assertThat(
                        two.state().partitions() + three.state().partitions())
                .isEqualTo(32));
        assertThat(KafkaRecords.all(topic)).hasSize(10_000);
    }
}
