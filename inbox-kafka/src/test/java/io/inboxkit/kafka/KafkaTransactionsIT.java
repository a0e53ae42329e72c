package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.inboxkit.IdempotentConsumer;
import io.inboxkit.kafka.ListenerApplication.Effects;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.transaction.KafkaTransactionManager;

/** A transaction manager of Kafka that comes with a transactional producer does not take the place of the database's. */
class KafkaTransactionsIT {

    @Test
    void transactionalProducerLeavesRollbackAndCommitToTheDatabase() {
        try (var application = ListenerApplication.start(
                FailsOnce.class,
                "spring.kafka.producer.transaction-id-prefix=tx-",
                "spring.kafka.consumer.isolation-level=read_committed")) {
            assertThat(application.bean(KafkaTransactionManager.class)).isNotNull();
            ListenerApplication.sendTo(application.topic(), "one", ListenerApplication.header("message-id", "m1"));
            ListenerApplication.sendTo(application.topic(), "one", ListenerApplication.header("message-id", "m1"));
            ListenerApplication.sendTo(application.topic(), "two", ListenerApplication.header("message-id", "m2"));
            application.awaitEffects(2);

            assertThat(application.effects()).containsExactly("one", "two");
            assertThat(application.bean(FailsOnce.Listener.class).found).containsExactly(0, 0, 1);
        }
    }

    @Import(FailsOnce.Listener.class)
    static class FailsOnce {

        static class Listener {

            private final List<Integer> found = new CopyOnWriteArrayList<>();
            private final Effects effects;

            Listener(Effects effects) {
                this.effects = effects;
            }

            @KafkaListener(topics = "${topic}", groupId = "billing")
            @IdempotentConsumer
            void on(String payload) {
                found.add(effects.count());
                effects.add(payload);
                if (found.size() == 1) {
                    throw new IllegalStateException("after the insert");
                }
            }
        }
    }
}
