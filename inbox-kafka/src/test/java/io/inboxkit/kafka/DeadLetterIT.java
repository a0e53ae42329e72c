package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.inboxkit.EntryState;
import io.inboxkit.IdempotentConsumer;
import io.inboxkit.InboxEntry;
import io.inboxkit.InboxObserver;
import io.inboxkit.MissingIdPolicy;
import io.inboxkit.MissingMessageIdException;
import io.inboxkit.kafka.ListenerApplication.Effects;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.BackOff;
import org.springframework.kafka.annotation.DltHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.util.backoff.FixedBackOff;

class DeadLetterIT {

    @Test
    void refusedMessageGoesToTheDeadLettersAtOnceAndItsNeighboursAreProcessed() {
        try (var application = ListenerApplication.start(Recovering.class)) {
            application.send("m1", "one");
            application.send(null, "no id");
            application.send("m3", "three");

            application.awaitSettled("billing");
            application.awaitEffects(3);

            assertThat(application.effects())
                    .containsExactlyInAnyOrder(
                            "one", "three", "dead no id " + MissingMessageIdException.class.getName());
        }
    }

    @Test
    void messageThatIsDeadIsProcessedWhenItIsSentAgain() {
        try (var application = ListenerApplication.start(Recovering.class)) {
            application.send("m1", "fails three times");
            application.awaitSettled("billing");
            application.awaitEffects(1);
            application.send("m1", "fails three times");
            application.send("m1", "fails three times");
            application.awaitSettled("billing");

            assertThat(application.effects())
                    .containsExactlyInAnyOrder(
                            "dead fails three times " + IllegalStateException.class.getName(), "fails three times");
        }
    }

    @Test
    void retryTopicsBelongToTheConsumerOfTheMainListener() {
        try (var application = ListenerApplication.start(Retrying.class)) {
            application.send("m1", "fails once");
            application.awaitEffects(1);
            application.send("m1", "fails once");
            application.send("m2", "two");
            application.awaitEffects(2);

            assertThat(application.effects()).containsExactly("fails once", "two");
            assertThat(application.inbox().find("billing:" + application.topic(), "m1"))
                    .map(InboxEntry::state)
                    .contains(EntryState.PROCESSED);
        }
    }

    @Test
    void dltHandlerIsAConsumerOfItsOwnAndTheMessageStaysOpenForTheMainOne() {
        try (var application = ListenerApplication.start(Retrying.class)) {
            application.send("m1", "fails always");
            application.awaitEffects(1);
            application.send(null, "no id");
            application.awaitEffects(2);

            assertThat(application.effects()).containsExactly("dlt fails always", "dlt no id");
            assertThat(application.bean(Refusals.class).count).hasValue(1);
            assertThat(application.inbox().find("billing:" + application.topic(), "m1"))
                    .map(InboxEntry::state)
                    .hasValue(EntryState.OPEN);
            assertThat(application.inbox().find("billing:" + application.topic() + ":dlt", "m1"))
                    .isPresent();
            assertThat(application.bean(Retrying.Listener.class).attempted)
                    .containsExactly("fails always", "fails always");
        }
    }

    @Import(Recovering.Listener.class)
    static class Recovering {

        @Bean
        NewTopic deadLetters(@Value("${topic}") String topic) {
            return new NewTopic(topic + "-dlt", 1, (short) 1);
        }

        @Bean
        DefaultErrorHandler errorHandler(KafkaTemplate<?, ?> template) {
            return new DefaultErrorHandler(new DeadLetterPublishingRecoverer(template), new FixedBackOff(10, 2));
        }

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
                if (payload.startsWith("fails") && failures.getAndIncrement() < 3) {
                    throw new IllegalStateException("not yet");
                }
            }

            @KafkaListener(topics = "${topic}-dlt", groupId = "undertaker")
            void onDead(ConsumerRecord<String, String> dead) {
                byte[] cause = dead.headers()
                        .lastHeader(KafkaHeaders.DLT_EXCEPTION_CAUSE_FQCN)
                        .value();
                effects.add("dead " + dead.value() + " " + new String(cause, StandardCharsets.UTF_8));
            }
        }
    }

    static class Refusals implements InboxObserver {

        private final AtomicInteger count = new AtomicInteger();

        @Override
        public void outcome(String consumer, MessageOutcome outcome) {
            if (outcome == MessageOutcome.MISSING_ID) {
                count.incrementAndGet();
            }
        }
    }

    @Import({Retrying.Listener.class, Refusals.class})
    static class Retrying {

        static class Listener {

            private final List<String> attempted = new CopyOnWriteArrayList<>();
            private final AtomicInteger failures = new AtomicInteger();
            private final Effects effects;

            Listener(Effects effects) {
                this.effects = effects;
            }

            @RetryableTopic(attempts = "2", backOff = @BackOff(delay = 10))
            @KafkaListener(topics = "${topic}", groupId = "billing")
            @IdempotentConsumer
            void on(String payload) {
                attempted.add(payload);
                effects.add(payload);
                if (payload.equals("fails always")
                        || (payload.equals("fails once") && failures.getAndIncrement() == 0)) {
                    throw new IllegalStateException("not yet");
                }
            }

            @DltHandler
            @IdempotentConsumer(onMissingId = MissingIdPolicy.PROCESS)
            void onDead(String payload) {
                effects.add("dlt " + payload);
            }
        }
    }
}
