package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.inboxkit.IdempotentConsumer;
import io.inboxkit.kafka.ListenerApplication.Effects;
import io.inboxkit.testkit.KafkaRecords;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.FixedBackOff;

/** A message that fails again and again, and is sent back from the dead letters each time. */
class DeadLetterRoundsIT {

    private static final int ROUNDS = 20;

    @Test
    void headersDoNotGrowOverManyRoundsAndTheMessageIsProcessedInTheEnd() {
        try (var application = ListenerApplication.start(Recovering.class)) {
            Recovering listener = application.bean(Recovering.class);
            String dead = application.topic() + "-dlt";
            application.send("m1", "payment");
            List<List<String>> names = new ArrayList<>();
            List<Integer> sizes = new ArrayList<>();
            for (int round = 1; round <= ROUNDS; round++) {
                int expected = round;
                await().atMost(ListenerApplication.PATIENCE)
                        .until(() -> KafkaRecords.all(dead).size() == expected);
                var records = KafkaRecords.all(dead);
                var last = records.get(records.size() - 1);
                names.add(namesOf(last));
                sizes.add(sizeOf(last));
                listener.healed = round == ROUNDS;
                KafkaRecords.copy(List.of(last), application.topic());
            }
            application.awaitEffects(1);

            assertThat(names).allSatisfy(each -> assertThat(each)
                    .doesNotHaveDuplicates()
                    .contains("message-id")
                    .isEqualTo(names.get(0)));
            assertThat(sizes).containsOnly(sizes.get(0));
            assertThat(application.effects()).containsExactly("payment");
            assertThat(application.inbox().find("billing:" + application.topic(), "m1"))
                    .isPresent();
        }
    }

    private static List<String> namesOf(ConsumerRecord<?, ?> dead) {
        List<String> names = new ArrayList<>();
        dead.headers().forEach(header -> names.add(header.key()));
        return names.stream().sorted().toList();
    }

    /** Without the stack traces, which are replaced, and differ by what the JVM has compiled meanwhile. */
    private static int sizeOf(ConsumerRecord<?, ?> dead) {
        int size = 0;
        for (Header header : dead.headers()) {
            if (!header.key().contains("stacktrace") && header.value() != null) {
                size += header.value().length;
            }
        }
        return size;
    }

    static class Recovering {

        private final Effects effects;
        private volatile boolean healed;

        Recovering(Effects effects) {
            this.effects = effects;
        }

        @Bean
        static NewTopic deadLetters(@Value("${topic}") String topic) {
            return new NewTopic(topic + "-dlt", 1, (short) 1);
        }

        @Bean
        static DefaultErrorHandler errorHandler(KafkaTemplate<?, ?> template) {
            var recoverer = new DeadLetterPublishingRecoverer(template);
            // The framework's own notes on where a record came from would be appended otherwise.
            recoverer.setAppendOriginalHeaders(false);
            return new DefaultErrorHandler(recoverer, new FixedBackOff(0, 0));
        }

        @KafkaListener(topics = "${topic}", groupId = "billing")
        @IdempotentConsumer
        void on(String payload) {
            effects.add(payload);
            if (!healed) {
                throw new IllegalStateException("not yet");
            }
        }
    }
}
