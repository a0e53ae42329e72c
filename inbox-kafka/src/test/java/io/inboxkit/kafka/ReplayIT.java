package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.inboxkit.DuplicateOrigin;
import io.inboxkit.IdempotentConsumer;
import io.inboxkit.InboxObserver;
import io.inboxkit.Position;
import io.inboxkit.kafka.ListenerApplication.Effects;
import io.inboxkit.testkit.KafkaRecords;
import io.inboxkit.testkit.KafkaTopics;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.AcknowledgingConsumerAwareMessageListener;

/** The same messages again, for other reasons than a failure. */
class ReplayIT {

    private static final String GROUP = "billing";
    private static final ListenerApplication application = ListenerApplication.start(Billing.class);
    private static final Duplicates duplicates = application.bean(Duplicates.class);
    private static final KafkaListenerEndpointRegistry registry = application.bean(KafkaListenerEndpointRegistry.class);

    @BeforeEach
    void clear() {
        application.bean(JdbcTemplate.class).update("delete from effect");
        duplicates.count.set(0);
        duplicates.origins.clear();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void groupThatIsResetToTheBeginningHasNoFurtherEffects() {
        for (int i = 0; i < 100; i++) {
            KafkaRecords.send(application.topic(), "payment", "message-id", "payment " + i);
        }
        KafkaTopics.awaitNoLag(GROUP, application.topic());
        registry.stop();
        KafkaTopics.commit(GROUP, new TopicPartition(application.topic(), 0), 0);
        registry.start();
        KafkaTopics.awaitNoLag(GROUP, application.topic());

        assertThat(application.effects()).hasSize(100);
        assertThat(duplicates.count).hasValue(100);
        assertThat(duplicates.origins).containsExactly(DuplicateOrigin.REDELIVERY);
    }

    @Test
    void copyInAMirroredTopicIsADuplicateForANamedConsumer() {
        String mirror = application.topic() + "-mirror";
        String original = application.topic() + "-original";
        KafkaTopics.create(original, 1);
        KafkaTopics.create(mirror, 1);
        KafkaRecords.send(mirror, "only here", "message-id", "moves the offsets of the mirror");
        KafkaRecords.send(original, "order", "message-id", "m1");
        KafkaTopics.awaitNoLag("orders", original);
        KafkaRecords.copy(KafkaRecords.all(original), mirror);
        KafkaTopics.awaitNoLag("orders", mirror);

        assertThat(application.effects()).containsExactlyInAnyOrder("only here", "order");
        assertThat(duplicates.count).hasValue(1);
        assertThat(duplicates.origins).containsExactly(DuplicateOrigin.PRODUCER);
    }

    @Test
    void recordThatTheClientHandsOverTwiceInARowIsHandledOnce() {
        var container = registry.getListenerContainer("billing");
        assertThat(container).isNotNull();
        @SuppressWarnings("unchecked")
        var adapter = (AcknowledgingConsumerAwareMessageListener<String, String>)
                container.getContainerProperties().getMessageListener();
        assertThat(adapter).isNotNull();
        var delivered = new ConsumerRecord<>(application.topic(), 0, 1_000_000, "key", "twice");
        delivered.headers().add(new RecordHeader("message-id", new byte[] {'2', 'x'}));

        adapter.onMessage(delivered, null, null);
        adapter.onMessage(delivered, null, null);

        assertThat(application.effects()).containsExactly("twice");
        assertThat(duplicates.count).hasValue(1);
    }

    static class Duplicates implements InboxObserver {

        private final AtomicInteger count = new AtomicInteger();
        private final Set<DuplicateOrigin> origins = ConcurrentHashMap.newKeySet();

        @Override
        public void duplicate(
                String consumer, DuplicateOrigin origin, @Nullable Position position, @Nullable Position first) {
            count.incrementAndGet();
            origins.add(origin);
        }
    }

    @Import(Duplicates.class)
    record Billing(Effects effects) {

        @KafkaListener(id = "billing", topics = "${topic}")
        @IdempotentConsumer
        void onPayment(String payload) {
            effects.add(payload);
        }

        @KafkaListener(
                topics = {"${topic}-original", "${topic}-mirror"},
                groupId = "orders")
        @IdempotentConsumer(consumer = "orders")
        void onOrder(String payload) {
            effects.add(payload);
        }
    }
}
