package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.inboxkit.DuplicateOrigin;
import io.inboxkit.IdempotentConsumer;
import io.inboxkit.InboxObserver;
import io.inboxkit.Position;
import io.inboxkit.Tracking;
import io.inboxkit.kafka.ListenerApplication.Effects;
import io.inboxkit.testkit.KafkaRecords;
import io.inboxkit.testkit.KafkaTopics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.TopicPartition;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.support.KafkaHeaders;

/** A listener that knows its messages by their positions; they have no ids. */
class PositionIT {

    private static final String GROUP = "billing";

    private final ListenerApplication application =
            ListenerApplication.start(Billing.class, "spring.kafka.consumer.isolation-level=read_committed");

    private final String topic = application.topic();

    @AfterEach
    void stop() {
        application.close();
    }

    @Test
    void rewindToTheBeginningHasNoFurtherEffects() {
        List<String> payments = send("payment ", 100);
        KafkaTopics.awaitNoLag(GROUP, topic);
        rewind(0);
        assertThat(application.effects()).isEqualTo(payments);
        assertThat(application.bean(Duplicates.class).found).hasSize(100).containsOnly(DuplicateOrigin.REDELIVERY);

        TestBroker.send(topic, 0, "one more");
        application.awaitEffects(101);
    }

    @Test
    void groupIsSetBackToTheMiddle() {
        List<String> payments = send("payment ", 10);
        KafkaTopics.awaitNoLag(GROUP, topic);
        rewind(5);
        assertThat(application.effects()).isEqualTo(payments);
        assertThat(application.bean(Duplicates.class).found).hasSize(5);
    }

    @Test
    void producersDuplicateIsNotToldApart() {
        application.send("m1", "payment");
        application.send("m1", "payment");
        application.awaitSettled(GROUP);

        assertThat(application.effects()).containsExactly("payment", "payment");
    }

    @Test
    void copyOfADeadLetterIsANewMessageOfItsTopic() {
        byte[] zero = new byte[Integer.BYTES];
        for (int i = 0; i < 2; i++) {
            application.sendWith(
                    "copy",
                    ListenerApplication.header(KafkaHeaders.ORIGINAL_TOPIC, topic),
                    new RecordHeader(KafkaHeaders.ORIGINAL_PARTITION, zero),
                    new RecordHeader(KafkaHeaders.ORIGINAL_OFFSET, new byte[8]));
        }
        application.awaitSettled(GROUP);

        assertThat(application.effects()).containsExactly("copy", "copy");
    }

    @Test
    void gapsOfAbortedAndCommittedTransactionsAreNoError() {
        KafkaTemplate<String, String> producer = new KafkaTemplate<>(TestBroker.transactions());
        for (int i = 0; i < 3; i++) {
            String payment = "payment " + i;
            try {
                producer.executeInTransaction(sender -> {
                    sender.send(topic, "aborted").join();
                    throw new IllegalStateException("planned");
                });
            } catch (IllegalStateException planned) {
                assertThat(planned).hasMessage("planned");
            }
            producer.executeInTransaction(sender -> sender.send(topic, payment));
        }
        producer.destroy();
        // Behind a marker the consumer commits nothing.
        TestBroker.send(topic, 0, "last");
        rewind(0);

        assertThat(application.effects()).containsExactly("payment 0", "payment 1", "payment 2", "last");
    }

    @Test
    void everyRecordOfATopicThatIsCreatedAgainWhileTheConsumerRunsIsProcessed() {
        send("old ", 50);
        KafkaTopics.awaitNoLag(GROUP, topic);
        recreate(topic);
        long yesterday = Instant.now().minus(Duration.ofDays(1)).toEpochMilli();
        List<String> again = IntStream.range(0, 30).mapToObj(i -> "new " + i).toList();
        again.forEach(payment -> KafkaRecords.send(
                new ProducerRecord<>(topic, 0, yesterday, null, payment.getBytes(StandardCharsets.UTF_8))));

        application.awaitEffects(80);
        assertThat(application.effects().subList(50, 80)).isEqualTo(again);
        rewind(0);
        assertThat(application.effects()).hasSize(80);
    }

    @Test
    void recordThatLooksOldIsFetchedAnewWhenItsTopicWasCreatedAgain() {
        String manual = "manual-" + topic;
        TestBroker.send(manual, 0, "old 0", "old 1", "old 2");
        application.awaitEffects(3);
        // A consumer that is assigned by hand hears of no new assignment.
        recreate(manual);
        TestBroker.send(manual, 0, "new 0", "new 1");
        application.awaitEffects(5);

        assertThat(application.effects()).containsExactly("old 0", "old 1", "old 2", "new 0", "new 1");
    }

    private static void recreate(String topic) {
        TestBroker.deleteTopic(topic);
        await().ignoreExceptions().until(() -> {
            TestBroker.createTopic(topic, 1);
            return true;
        });
    }

    private List<String> send(String prefix, int count) {
        List<String> payloads =
                IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
        TestBroker.send(topic, 0, payloads.toArray(String[]::new));
        return payloads;
    }

    private void rewind(long offset) {
        KafkaListenerEndpointRegistry registry = application.bean(KafkaListenerEndpointRegistry.class);
        KafkaTopics.awaitNoLag(GROUP, topic);
        registry.stop();
        KafkaTopics.commit(GROUP, new org.apache.kafka.common.TopicPartition(topic, 0), offset);
        registry.start();
        KafkaTopics.awaitNoLag(GROUP, topic);
    }

    static class Duplicates implements InboxObserver {

        private final Queue<DuplicateOrigin> found = new ConcurrentLinkedQueue<>();

        @Override
        public void duplicate(
                String consumer, DuplicateOrigin origin, @Nullable Position position, @Nullable Position first) {
            found.add(origin);
        }
    }

    @Import(Duplicates.class)
    record Billing(Effects effects) {

        @KafkaListener(id = GROUP, topics = "${topic}")
        @IdempotentConsumer(track = Tracking.POSITION)
        void onPayment(String payload) {
            effects.add(payload);
        }

        @KafkaListener(id = "by hand", topicPartitions = @TopicPartition(topic = "manual-${topic}", partitions = "0"))
        @IdempotentConsumer(track = Tracking.POSITION)
        void onPaymentByHand(String payload) {
            effects.add(payload);
        }

        @Bean
        static NewTopic manual(@Value("manual-${topic}") String name) {
            return new NewTopic(name, 1, (short) 1);
        }
    }
}
