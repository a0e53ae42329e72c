package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.inboxkit.IdempotentConsumer;
import io.inboxkit.kafka.ListenerApplication.Effects;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.annotation.AliasFor;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.messaging.Message;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

class ListenerShapesIT {

    @ParameterizedTest
    @ValueSource(
            classes = {
                PrivateMethod.class,
                ClassLevel.class,
                BehindInterface.class,
                Transactions.class,
                MetaAnnotated.class,
                TakesRecord.class,
                TakesMessage.class
            })
    void everyShapeIsCovered(Class<?> listener) {
        try (var application = ListenerApplication.start(
                listener, "spring.kafka.listener.ack-mode=MANUAL", "spring.aop.proxy-target-class=false")) {
            application.send("m1", "one");
            application.send("m1", "one");
            application.send("m2", "two");

            application.awaitSettled("billing");

            assertThat(application.effects()).containsExactly("one", "two");
        }
    }

    static final class PrivateMethod {

        private final Effects effects;

        PrivateMethod(Effects effects) {
            this.effects = effects;
        }

        @KafkaListener(topics = "${topic}", groupId = "billing")
        @IdempotentConsumer
        @SuppressWarnings("UnusedMethod")
        private void on(String payload, Acknowledgment acknowledgment) {
            effects.add(payload);
            acknowledgment.acknowledge();
        }
    }

    @KafkaListener(topics = "${topic}", groupId = "billing")
    @IdempotentConsumer
    static class ClassLevel {

        private final Effects effects;

        ClassLevel(Effects effects) {
            this.effects = effects;
        }

        @KafkaHandler
        void on(String payload, Acknowledgment acknowledgment) {
            effects.add(payload);
            acknowledgment.acknowledge();
        }

        @KafkaHandler
        void on(Long payload, Acknowledgment acknowledgment) {
            throw new IllegalStateException("no such payload is sent");
        }

        @KafkaHandler(isDefault = true)
        void onOther(Object payload) {
            throw new IllegalStateException("no such payload is sent");
        }
    }

    interface Handler {
        void on(String payload, Acknowledgment acknowledgment);
    }

    /** Proxied by its interface, which knows nothing of the annotation. */
    @Transactional
    static class BehindInterface implements Handler {

        private final Effects effects;

        BehindInterface(Effects effects) {
            this.effects = effects;
        }

        @Override
        @KafkaListener(topics = "${topic}", groupId = "billing")
        @IdempotentConsumer
        public void on(String payload, Acknowledgment acknowledgment) {
            effects.add(payload);
            acknowledgment.acknowledge();
        }
    }

    static class Transactions {

        private final Effects effects;

        Transactions(Effects effects) {
            this.effects = effects;
        }

        @Transactional(isolation = Isolation.SERIALIZABLE, timeout = 20)
        @KafkaListener(topics = "${topic}", groupId = "billing")
        @IdempotentConsumer
        public void on(String payload, Acknowledgment acknowledgment) {
            effects.add(payload);
            acknowledgment.acknowledge();
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @KafkaListener(groupId = "billing")
    @IdempotentConsumer(consumer = "${name:meta}")
    @interface OnTopic {

        @AliasFor(annotation = KafkaListener.class, attribute = "topics")
        String[] value();

        @AliasFor(annotation = IdempotentConsumer.class, attribute = "retention")
        String keep() default "1d";
    }

    static class MetaAnnotated {

        private final Effects effects;

        MetaAnnotated(Effects effects) {
            this.effects = effects;
        }

        @OnTopic(value = "${topic}", keep = "12h")
        void on(String payload, Acknowledgment acknowledgment) {
            effects.add(payload);
            acknowledgment.acknowledge();
        }
    }

    static class TakesRecord {

        private final Effects effects;

        TakesRecord(Effects effects) {
            this.effects = effects;
        }

        @KafkaListener(topics = "${topic}", groupId = "billing")
        @IdempotentConsumer
        void on(ConsumerRecord<String, String> received, Acknowledgment acknowledgment) {
            effects.add(received.value());
            acknowledgment.acknowledge();
        }
    }

    static class TakesMessage {

        private final Effects effects;

        TakesMessage(Effects effects) {
            this.effects = effects;
        }

        @KafkaListener(topics = "${topic}", groupId = "billing")
        @IdempotentConsumer
        void on(Message<String> message) {
            effects.add(message.getPayload());
            var acknowledgment = message.getHeaders().get(KafkaHeaders.ACKNOWLEDGMENT, Acknowledgment.class);
            assertThat(acknowledgment).isInstanceOf(DeferredAcknowledgment.class);
            acknowledgment.acknowledge();
        }
    }
}
