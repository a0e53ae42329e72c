package io.inboxkit.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.inboxkit.outbox.MessageFilter;
import io.inboxkit.outbox.OutboxMessage;
import io.inboxkit.outbox.OutboxOperations;
import io.inboxkit.outbox.PublishResult;
import io.inboxkit.outbox.jdbc.JdbcOutboxOperations;
import io.inboxkit.outbox.jdbc.OutboxTables;
import io.inboxkit.outbox.relay.RelaySettings.OnParked;
import io.inboxkit.testkit.KafkaService;
import io.inboxkit.testkit.KafkaTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RelayFaultsIT {

    @RegisterExtension
    static final RelayFixture outbox = new RelayFixture();

    private final String topic = KafkaTopics.uniqueName("faults");
    private final OutboxOperations operations = new JdbcOutboxOperations(outbox.dataSource, OutboxTables.defaults());

    @Test
    void messageTooLargeForItsTopicInTheMiddleOfABurstIsParkedAndItsKeyWaits() {
        KafkaTopics.create(topic, 3, Map.of("max.message.bytes", "5000"));
        List<OutboxMessage> burst = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            burst.add(message("k", i).header("padding", i == 50 ? new byte[100_000] : new byte[0]));
            burst.add(message("other" + i % 10, i));
        }
        outbox.publishAll(burst);
        outbox.start();

        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(outbox.parked()).isEqualTo(1));
        Wire wire = Wire.received(topic, 150);
        wire.assertFirstCopiesInOrder();
        assertThat(wire.firstCopies().get("k")).hasSize(50).last().isEqualTo(49);
        assertThat(operations.parked(MessageFilter.all(), 10)).singleElement().satisfies(parked -> {
            assertThat(parked.reason()).contains("RecordTooLarge");
            assertThat(parked.attempts()).isEqualTo(3);
        });
        // Later ones wait as well.
        outbox.publish(message("k", 100));
        outbox.publish(message("other0", 100));
        Wire.received(topic, 151);
        assertThat(outbox.waiting()).isEqualTo(50);

        assertThat(operations.discard(new MessageFilter(List.of(), "kafka:" + topic, "k", "TooLarge")))
                .isEqualTo(1);
        Wire repaired = Wire.received(topic, 201);
        repaired.assertFirstCopiesInOrder();
        repaired.assertNoRepeats();
        assertThat(repaired.firstCopies().get("k")).hasSize(100).last().isEqualTo(100);
    }

    @Test
    void parkedMessageThatIsRetriedGoesBeforeItsSuccessors() {
        KafkaTopics.create(topic, 3);
        FaultyPublisher faulty = new FaultyPublisher(RelayFixture.kafka(KafkaService.bootstrapServers()));
        faulty.fail(message -> "poison".equals(message.type()) ? PublishResult.messageFault("poison") : null);
        outbox.start(RelayFixture.SETTINGS, faulty);
        outbox.publish(message("k", 0));
        outbox.publish(message("k", 1).type("poison"));
        for (int i = 2; i < 3000; i++) {
            outbox.publish(message(i % 2 == 0 ? "k" : "other", i));
        }
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(outbox.parked()).isEqualTo(1));
        faulty.work();

        assertThat(operations.retry(MessageFilter.all())).isEqualTo(1);
        Wire wire = Wire.received(topic, 3000);
        wire.assertFirstCopiesInOrder();
        wire.assertNoRepeats();
    }

    @Test
    void successorsOfAParkedMessagePassWhereTheyMay() {
        KafkaTopics.create(topic, 3);
        FaultyPublisher faulty = new FaultyPublisher(RelayFixture.kafka(KafkaService.bootstrapServers()));
        faulty.fail(message -> "poison".equals(message.type()) ? PublishResult.messageFault("poison") : null);
        outbox.start(RelayFixture.settings(OnParked.CONTINUE, 500), faulty);
        outbox.publish(message("k", 0).type("poison"));
        for (int i = 1; i < 100; i++) {
            outbox.publish(message("k", i));
        }

        assertThat(Wire.received(topic, 99).firstCopies().get("k")).hasSize(99).isSorted();
        assertThat(outbox.parked()).isEqualTo(1);
    }

    @Test
    void manyPoisonousMessagesDoNotKeepGoodOnesOut() {
        KafkaTopics.create(topic, 3);
        FaultyPublisher faulty = new FaultyPublisher(RelayFixture.kafka(KafkaService.bootstrapServers()));
        faulty.fail(message -> "poison".equals(message.type()) ? PublishResult.messageFault("poison") : null);
        List<OutboxMessage> messages = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            messages.add(message(i % 2 == 0 ? null : "p" + i, i).type("poison"));
        }
        for (int i = 0; i < 1000; i++) {
            messages.add(message("good" + i % 100, i));
        }
        outbox.publishAll(messages);
        outbox.start(RelayFixture.settings(OnParked.HOLD_KEY, 50), faulty);

        Wire.received(topic, 1000).assertFirstCopiesInOrder();
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(outbox.parked()).isEqualTo(2000));
        assertThat(outbox.waiting()).isZero();
    }

    @Test
    void topicThatIsNotThereKeepsNoOtherOutAndIsUsedWhenItIsMade() {
        String missing = KafkaTopics.uniqueName("missing");
        KafkaTopics.create(topic, 3);
        List<OutboxMessage> messages = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            messages.add(OutboxMessage.to("kafka:" + missing).key("k" + i % 10).payload("" + i));
            messages.add(message("k" + i % 100, i));
        }
        outbox.publishAll(messages);
        Relay relay = outbox.start();

        Wire.received(topic, 3000).assertFirstCopiesInOrder();
        assertThat(relay.state().troubles()).hasSize(1);
        assertThat(outbox.waiting()).isEqualTo(3000);
        KafkaTopics.create(missing, 3);
        Wire wire = Wire.received(missing, 3000);
        wire.assertFirstCopiesInOrder();
        wire.assertNoRepeats();
        await().untilAsserted(() -> assertThat(relay.state().troubles()).isEmpty());
        assertThat(outbox.parked()).isZero();
    }

    @Test
    void unreachableBrokerParksNothingAndAllIsSentAfterwards() {
        KafkaTopics.create(topic, 3);
        FaultyPublisher faulty = new FaultyPublisher(RelayFixture.kafka(KafkaService.bootstrapServers()));
        faulty.fail(message -> PublishResult.unreachable("down"));
        Relay relay = outbox.start(RelayFixture.SETTINGS, faulty);
        List<OutboxMessage> messages = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            messages.add(message("k" + i % 100, i));
        }
        outbox.publishAll(messages);
        await().untilAsserted(() -> assertThat(relay.state().troubles()).hasSize(1));
        await().during(Duration.ofSeconds(3)).until(() -> outbox.parked() == 0 && outbox.waiting() == 10_000);
        faulty.work();

        Wire wire = Wire.received(topic, 10_000);
        wire.assertFirstCopiesInOrder();
        wire.assertNoRepeats();
        await().untilAsserted(() -> assertThat(outbox.waiting()).isZero());
    }

    @Test
    void unknownSchemeWaits() {
        KafkaTopics.create(topic, 3);
        outbox.publish(OutboxMessage.to("rabbitmq:orders/placed").payload("p"));
        outbox.publish(message("k", 1));
        Relay relay = outbox.start();

        Wire.received(topic, 1);
        await().untilAsserted(() -> assertThat(relay.state().troubles().values())
                .singleElement()
                .satisfies(trouble -> assertThat(trouble.error()).contains("rabbitmq")));
        assertThat(outbox.waiting()).isEqualTo(1);
    }

    private OutboxMessage message(@Nullable String key, int number) {
        return OutboxMessage.to("kafka:" + topic).key(key).payload("" + number);
    }
}
