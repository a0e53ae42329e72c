package io.inboxkit.kafka;

import static io.inboxkit.kafka.ListenerApplication.header;
import static org.assertj.core.api.Assertions.assertThat;

import io.inboxkit.IdempotentConsumer;
import io.inboxkit.InboxAttempt;
import io.inboxkit.InboxMessage;
import io.inboxkit.kafka.ListenerApplication.Effects;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.BackOff;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.util.backoff.FixedBackOff;

/** The attempt as a parameter of handlers. */
class InboxAttemptIT {

    @Test
    void keyIsTheSameInEveryAttemptAndTheContainersCountIsTold() {
        try (var application = ListenerApplication.start(Records.class, "spring.kafka.listener.ack-mode=manual")) {
            application.send("m1", "fails twice");
            application.awaitSettled("billing");
            application.awaitEffects(1);

            assertThat(application.effects()).containsExactly("fails twice");
            String key = keyOf("billing:" + application.topic(), "m1");
            assertThat(application.bean(Records.class).attempts).containsExactly("1 " + key, "2 " + key, "3 " + key);
        }
    }

    @Test
    void handlersOfAClassTakeIt() {
        try (var application = ListenerApplication.start(Handlers.class)) {
            application.send("m1", "text");
            application.awaitEffects(1);

            assertThat(application.effects()).containsExactly("text " + keyOf("handlers", "m1"));
        }
    }

    @Test
    void retryTopicsCountOnAndKeepTheKey() {
        try (var application = ListenerApplication.start(Retrying.class)) {
            application.send("m1", "fails twice");
            application.awaitEffects(1);

            String key = keyOf("billing:" + application.topic(), "m1");
            assertThat(application.bean(Retrying.class).attempts).containsExactly("1 " + key, "2 " + key, "3 " + key);
        }
    }

    @Test
    void producerCannotForgeTheCount() {
        try (var application = ListenerApplication.start(Handlers.class)) {
            application.sendWith("text", header("message-id", "m1"), header("kafka_deliveryAttempt", "9999"));
            application.awaitEffects(1);

            assertThat(application.bean(Handlers.class).numbers).containsExactly(1);
        }
    }

    private static String keyOf(String consumer, String id) {
        return InboxAttempt.transactional(InboxMessage.of(consumer, id), 1).idempotencyKey();
    }

    static class Records {

        private final List<String> attempts = new CopyOnWriteArrayList<>();
        private final Effects effects;

        Records(Effects effects) {
            this.effects = effects;
        }

        @Bean
        static DefaultErrorHandler errorHandler() {
            return new DefaultErrorHandler(new FixedBackOff(10, 5));
        }

        @KafkaListener(topics = "${topic}", groupId = "billing", containerPostProcessor = "counting")
        @IdempotentConsumer
        void on(@Header InboxAttempt attempt, ConsumerRecord<String, String> delivered, Acknowledgment acknowledgment) {
            attempts.add(attempt.number() + " " + attempt.idempotencyKey());
            effects.add(delivered.value());
            if (attempts.size() < 3) {
                throw new IllegalStateException("not yet");
            }
            acknowledgment.acknowledge();
        }

        @Bean
        static ContainerPostProcessor<String, String, AbstractMessageListenerContainer<String, String>> counting() {
            return container -> container.getContainerProperties().setDeliveryAttemptHeader(true);
        }
    }

    @KafkaListener(topics = "${topic}", groupId = "billing")
    @IdempotentConsumer(consumer = "handlers")
    static class Handlers {

        private final List<Integer> numbers = new CopyOnWriteArrayList<>();
        private final Effects effects;

        Handlers(Effects effects) {
            this.effects = effects;
        }

        @KafkaHandler
        void on(InboxAttempt attempt, @Payload String payload) {
            numbers.add(attempt.number());
            effects.add(payload + " " + attempt.idempotencyKey());
        }

        @KafkaHandler
        void on(Integer number) {
            effects.add(number);
        }
    }

    static class Retrying {

        private final List<String> attempts = new CopyOnWriteArrayList<>();
        private final Effects effects;

        Retrying(Effects effects) {
            this.effects = effects;
        }

        @RetryableTopic(attempts = "3", backOff = @BackOff(delay = 10))
        @KafkaListener(topics = "${topic}", groupId = "billing")
        @IdempotentConsumer
        void on(String payload, InboxAttempt attempt) {
            attempts.add(attempt.number() + " " + attempt.idempotencyKey());
            effects.add(payload);
            if (attempts.size() < 3) {
                throw new IllegalStateException("not yet");
            }
        }
    }
}
