package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.inboxkit.IdempotentConsumer;
import io.inboxkit.kafka.ListenerApplication.Effects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.support.Acknowledgment;

class AcknowledgeModeIT {

    @ParameterizedTest
    @EnumSource(
            value = AckMode.class,
            names = {"RECORD", "BATCH", "TIME", "COUNT", "COUNT_TIME"})
    void containerAcknowledgesNewDuplicateAndRetried(AckMode mode) {
        verify(ContainerAcknowledges.class, mode);
    }

    @ParameterizedTest
    @CsvSource({"MANUAL", "MANUAL_IMMEDIATE"})
    void duplicatesAreAcknowledgedForTheHandler(AckMode mode) {
        verify(HandlerAcknowledges.class, mode);
    }

    private static void verify(Class<?> listener, AckMode mode) {
        try (var application = ListenerApplication.start(
                listener,
                "spring.kafka.listener.ack-mode=" + mode,
                "spring.kafka.listener.ack-count=1",
                "spring.kafka.listener.ack-time=10ms")) {
            application.send("m1", "one");
            application.send("m1", "one");
            application.send("m2", "fails once");
            application.send("m2", "fails once");

            application.awaitSettled("billing");

            assertThat(application.effects()).containsExactly("one", "fails once");
        }
    }

    private static void failOnce(String payload, AtomicInteger failures) {
        if (payload.startsWith("fails") && failures.getAndIncrement() == 0) {
            throw new IllegalStateException("first attempt");
        }
    }

    @Import(ContainerAcknowledges.Listener.class)
    static class ContainerAcknowledges {

        static class Listener {

            private final AtomicInteger failures = new AtomicInteger();
            private final Effects effects;

            Listener(Effects effects) {
                this.effects = effects;
            }

            @KafkaListener(topics = "${topic}", groupId = "billing")
            @IdempotentConsumer
            void on(String payload) {
                effects.add(payload);
                failOnce(payload, failures);
            }
        }
    }

    @Import(HandlerAcknowledges.Listener.class)
    static class HandlerAcknowledges {

        static class Listener {

            private final AtomicInteger failures = new AtomicInteger();
            private final Effects effects;

            Listener(Effects effects) {
                this.effects = effects;
            }

            @KafkaListener(topics = "${topic}", groupId = "billing")
            @IdempotentConsumer
            void on(String payload, Acknowledgment acknowledgment) {
                effects.add(payload);
                acknowledgment.acknowledge();
                failOnce(payload, failures);
            }
        }
    }
}
