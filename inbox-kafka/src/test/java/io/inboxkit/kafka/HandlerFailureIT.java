package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.inboxkit.EntryState;
import io.inboxkit.IdempotentConsumer;
import io.inboxkit.InboxEntry;
import io.inboxkit.kafka.ListenerApplication.Effects;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.KafkaListenerErrorHandler;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.util.backoff.FixedBackOff;

class HandlerFailureIT {

    @Test
    void checkedExceptionRollsBackAndReachesTheContainerAsItIs() {
        try (var application = ListenerApplication.start(Failing.class)) {
            application.send("m1", "checked");
            application.send("m2", "two");
            application.awaitSettled("billing");

            var listener = application.bean(Failing.Listener.class);
            assertThat(application.effects()).containsExactly("two");
            assertThat(application.bean(Failing.class).recovered).containsExactly(listener.thrown);
            assertThat(application.inbox().find("billing:" + application.topic(), "m1"))
                    .map(InboxEntry::state)
                    .hasValue(EntryState.OPEN);
        }
    }

    @Test
    void swallowingErrorHandlerRunsAfterTheRollbackAndTheMessageStaysOpen() {
        try (var application = ListenerApplication.start(Swallowing.class)) {
            application.send("m1", "fails once");
            application.awaitSettled("billing");
            assertThat(application.effects()).containsExactly("swallowed fails once");

            application.send("m1", "fails once");
            application.awaitSettled("billing");
            assertThat(application.effects()).containsExactly("swallowed fails once", "fails once");
        }
    }

    @Test
    void promiseOfAResultThatTheSignatureDoesNotTellIsAFailure() {
        try (var application = ListenerApplication.start(Promising.class)) {
            application.send("m1", "one");
            application.awaitSettled("billing");

            assertThat(application.effects()).isEmpty();
            assertThat(application.inbox().find("billing:" + application.topic(), "m1"))
                    .map(InboxEntry::state)
                    .hasValue(EntryState.OPEN);
        }
    }

    @Test
    void nackRollsBackAndDeliversAgain() {
        try (var application = ListenerApplication.start(Nacking.class, "spring.kafka.listener.ack-mode=MANUAL")) {
            application.send("m1", "one");
            application.send("m1", "one");
            application.awaitSettled("billing");

            assertThat(application.bean(Nacking.Listener.class).calls).hasValue(2);
            assertThat(application.effects()).containsExactly("one");
        }
    }

    @Test
    void unreadableRecordIsNoTombstone() {
        try (var application = ListenerApplication.start(
                Unreadable.class,
                "spring.kafka.consumer.value-deserializer="
                        + "org.springframework.kafka.support.serializer.ErrorHandlingDeserializer",
                "spring.kafka.consumer.properties.spring.deserializer.value.delegate.class="
                        + "org.apache.kafka.common.serialization.LongDeserializer")) {
            application.send("m1", "no long");
            application.send("m1", "8 bytes.");
            application.awaitSettled("billing");

            assertThat(application.effects()).containsExactly("4044340739162075950");
        }
    }

    @Import(Failing.Listener.class)
    static class Failing {

        private final List<Throwable> recovered = new CopyOnWriteArrayList<>();

        @Bean
        DefaultErrorHandler errorHandler() {
            return new DefaultErrorHandler(
                    (failed, exception) ->
                            recovered.add(Objects.requireNonNull(Objects.requireNonNull(exception.getCause()))),
                    new FixedBackOff(10, 1));
        }

        static class Listener {

            private final IOException thrown = new IOException("out of paper");
            private final Effects effects;

            Listener(Effects effects) {
                this.effects = effects;
            }

            @KafkaListener(topics = "${topic}", groupId = "billing")
            @IdempotentConsumer
            void on(String payload) throws IOException {
                effects.add(payload);
                if (payload.equals("checked")) {
                    throw thrown;
                }
            }
        }
    }

    @Import(Swallowing.Listener.class)
    static class Swallowing {

        @Bean
        KafkaListenerErrorHandler swallowing(Effects effects) {
            return (message, exception) -> {
                effects.add("swallowed " + message.getPayload());
                return "nothing";
            };
        }

        static class Listener {

            private final AtomicInteger calls = new AtomicInteger();
            private final Effects effects;

            Listener(Effects effects) {
                this.effects = effects;
            }

            @KafkaListener(topics = "${topic}", groupId = "billing", errorHandler = "swallowing")
            @IdempotentConsumer
            void on(String payload) {
                effects.add(payload);
                if (calls.getAndIncrement() == 0) {
                    throw new IllegalStateException("first attempt");
                }
            }
        }
    }

    @Import(Nacking.Listener.class)
    static class Nacking {

        static class Listener {

            private final AtomicInteger calls = new AtomicInteger();
            private final Effects effects;

            Listener(Effects effects) {
                this.effects = effects;
            }

            @KafkaListener(topics = "${topic}", groupId = "billing")
            @IdempotentConsumer
            void on(String payload, Acknowledgment acknowledgment) {
                effects.add(payload);
                if (calls.getAndIncrement() == 0) {
                    acknowledgment.nack(Duration.ofMillis(10));
                } else {
                    acknowledgment.acknowledge();
                }
            }
        }
    }

    static class Unreadable {

        private final Effects effects;

        Unreadable(Effects effects) {
            this.effects = effects;
        }

        @KafkaListener(topics = "${topic}", groupId = "billing")
        @IdempotentConsumer
        void on(Long payload) {
            effects.add(payload);
        }
    }

    static class Promising {

        private final Effects effects;

        Promising(Effects effects) {
            this.effects = effects;
        }

        @KafkaListener(topics = "${topic}", groupId = "billing")
        @IdempotentConsumer
        @SuppressWarnings("FutureReturnValueIgnored")
        Object on(String payload) {
            effects.add(payload);
            return CompletableFuture.completedFuture("not yet");
        }
    }
}
