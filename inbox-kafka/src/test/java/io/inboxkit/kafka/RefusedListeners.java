package io.inboxkit.kafka;

import io.inboxkit.IdempotentConsumer;
import io.inboxkit.InboxAttempt;
import io.inboxkit.MissingIdPolicy;
import io.inboxkit.ProcessingMode;
import io.inboxkit.ReusedIdPolicy;
import io.inboxkit.Tracking;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.annotation.TopicPartition;
import org.springframework.kafka.config.ShareKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultShareConsumerFactory;
import org.springframework.kafka.listener.ContainerProperties.ShareAckMode;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Listeners that must stop the start, each for one reason; and one that is fine. */
final class RefusedListeners {

    private RefusedListeners() {}

    static class Fine {
        @KafkaListener(topics = "t")
        @IdempotentConsumer
        void on(String payload) {}
    }

    static class Batch {
        @KafkaListener(topics = "t", batch = "true")
        @IdempotentConsumer
        void on(List<String> payloads) {}
    }

    static class AttemptFirst {
        @KafkaListener(topics = "t")
        @IdempotentConsumer
        void on(InboxAttempt attempt, String payload) {}
    }

    static class AttemptOfBatch {
        @KafkaListener(topics = "t", batch = "true")
        @IdempotentConsumer
        void on(List<String> payloads, InboxAttempt attempt) {}
    }

    static class Leased {
        @KafkaListener(topics = "leased")
        @IdempotentConsumer(mode = ProcessingMode.LEASED)
        void on(String payload) {}
    }

    static class PositionLeased {
        @KafkaListener(topics = "t")
        @IdempotentConsumer(track = Tracking.POSITION, mode = ProcessingMode.LEASED)
        void on(String payload) {}
    }

    static class PositionStoresReply {
        @KafkaListener(topics = "t")
        @IdempotentConsumer(track = Tracking.POSITION, storeReply = true)
        String on(String payload) {
            return payload;
        }
    }

    static class PositionWithId {
        @KafkaListener(topics = "t")
        @IdempotentConsumer(track = Tracking.POSITION, messageId = "#key")
        void on(String payload) {}
    }

    static class PositionWithScope {
        @KafkaListener(topics = "t")
        @IdempotentConsumer(track = Tracking.POSITION, scope = "#key")
        void on(String payload) {}
    }

    static class PositionOnMissing {
        @KafkaListener(topics = "t")
        @IdempotentConsumer(track = Tracking.POSITION, onMissingId = MissingIdPolicy.USE_POSITION)
        void on(String payload) {}
    }

    static class PositionOnReused {
        @KafkaListener(topics = "t")
        @IdempotentConsumer(track = Tracking.POSITION, onReusedId = ReusedIdPolicy.SKIP)
        void on(String payload) {}
    }

    static class PositionWithRetries {
        @RetryableTopic
        @KafkaListener(topics = "t")
        @IdempotentConsumer(track = Tracking.POSITION)
        void on(String payload) {}
    }

    static class StoresReply {
        @KafkaListener(topics = "t")
        @IdempotentConsumer(storeReply = true)
        String on(String payload) {
            return payload;
        }
    }

    static class ReturnsFuture {
        @KafkaListener(topics = "t")
        @IdempotentConsumer
        CompletableFuture<Void> on(String payload) {
            return CompletableFuture.completedFuture(null);
        }
    }

    static class IsAsync {
        @Async
        @KafkaListener(topics = "async")
        @IdempotentConsumer
        void on(String payload) {}
    }

    static class RequiresNew {
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        @KafkaListener(topics = "t")
        @IdempotentConsumer
        void on(String payload) {}
    }

    @Transactional(readOnly = true)
    static class ReadOnly {
        @KafkaListener(topics = "t")
        @IdempotentConsumer
        void on(String payload) {}
    }

    static class OtherManager {
        @Transactional("other")
        @KafkaListener(topics = "t")
        @IdempotentConsumer
        void on(String payload) {}
    }

    static class OtherInbox {
        @KafkaListener(topics = "t")
        @IdempotentConsumer(transactionManager = "other")
        void on(String payload) {}
    }

    static class UnknownManager {
        @KafkaListener(topics = "t")
        @IdempotentConsumer(transactionManager = "nobody")
        void on(String payload) {}
    }

    static class WrongRetention {
        @KafkaListener(topics = "t")
        @IdempotentConsumer(retention = "soon")
        void on(String payload) {}
    }

    static class WrongPlaceholder {
        @KafkaListener(topics = "t")
        @IdempotentConsumer(consumer = "${nothing}")
        void on(String payload) {}
    }

    static class WrongExpression {
        @KafkaListener(topics = "t")
        @IdempotentConsumer(messageId = "#payload.")
        void on(String payload) {}
    }

    static class WrongVariable {
        @KafkaListener(topics = "t")
        @IdempotentConsumer(messageId = "#nothing")
        void on(String payload) {}
    }

    static class TwoOnOneTopic {
        @KafkaListener(topics = "t")
        @IdempotentConsumer
        void first(String payload) {}

        @KafkaListener(topics = "t")
        @IdempotentConsumer
        void second(String payload) {}
    }

    static class TwoOfOneName {
        @KafkaListener(topics = "t")
        @IdempotentConsumer(consumer = "same")
        void first(String payload) {}

        @KafkaListener(topics = "u")
        @IdempotentConsumer(consumer = "same")
        void second(String payload) {}
    }

    static class PatternAndTopic {
        @KafkaListener(topics = "orders")
        @IdempotentConsumer
        void first(String payload) {}

        @KafkaListener(topicPattern = "ord.*")
        @IdempotentConsumer
        void second(String payload) {}
    }

    static class NoGroup {
        @KafkaListener(topicPartitions = @TopicPartition(topic = "t", partitions = "0"))
        @IdempotentConsumer
        void on(String payload) {}
    }

    static class NoListener {
        @IdempotentConsumer
        void workThatAListenerCalls(String payload) {}
    }

    static class OddName {
        @KafkaListener(topics = "t")
        @IdempotentConsumer(consumer = "a\u0000b")
        void on(String payload) {}
    }

    static class Shared {

        @Bean
        static ShareKafkaListenerContainerFactory<String, String> shared() {
            return factory(ShareAckMode.EXPLICIT);
        }

        @Bean
        static ShareKafkaListenerContainerFactory<String, String> implicit() {
            return factory(ShareAckMode.IMPLICIT);
        }

        private static ShareKafkaListenerContainerFactory<String, String> factory(ShareAckMode mode) {
            var factory = new ShareKafkaListenerContainerFactory<>(
                    new DefaultShareConsumerFactory<String, String>(Map.of("bootstrap.servers", "localhost:1")));
            factory.getContainerProperties().setShareAckMode(mode);
            return factory;
        }
    }

    static class SharedImplicit extends Shared {
        @KafkaListener(topics = "t", containerFactory = "implicit", groupId = "g")
        @IdempotentConsumer
        void on(String payload) {}
    }

    static class SharedByPosition extends Shared {
        @KafkaListener(topics = "t", containerFactory = "shared", groupId = "g")
        @IdempotentConsumer(track = Tracking.POSITION)
        void on(String payload) {}
    }

    static class SharedByFingerprint extends Shared {
        @KafkaListener(topics = "t", containerFactory = "shared", groupId = "g")
        @IdempotentConsumer(onMissingId = MissingIdPolicy.USE_FINGERPRINT)
        void on(String payload) {}
    }

    @KafkaListener(topics = "t", containerFactory = "shared", groupId = "g")
    static class SharedHalf extends Shared {
        @KafkaHandler
        @IdempotentConsumer
        void on(String payload) {}

        @KafkaHandler
        void on(Integer payload) {}
    }
}
