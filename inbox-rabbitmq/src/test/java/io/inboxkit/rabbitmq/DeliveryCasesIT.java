package io.inboxkit.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.inboxkit.IdempotentConsumer;
import io.inboxkit.rabbitmq.ListenerApplication.Broker;
import io.inboxkit.rabbitmq.ListenerApplication.Effects;
import io.inboxkit.testkit.NeedsRabbitMq;
import io.inboxkit.testkit.RabbitQueues;
import io.inboxkit.testkit.RabbitService;
import io.inboxkit.testkit.TcpProxy;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** What went wrong for others on RabbitMQ, and the identity of what comes from it. */
class DeliveryCasesIT {

    @Test
    @NeedsRabbitMq
    void poisonMessageInAQuorumQueueTakesNoNeighboursWithIt() {
        Map<String, Object> quorum = Map.of("x-queue-type", "quorum", "x-delivery-limit", 3);
        try (var application = ListenerApplication.start(
                new Broker(RabbitService.address(), quorum),
                One.class,
                "spring.rabbitmq.listener.simple.prefetch=10")) {
            for (int i = 0; i < 10; i++) {
                application.send("m" + i, i == 4 ? "poison" : "good " + i);
            }
            application.awaitEffects(9);
            application.awaitSettled();

            assertThat(application.effects()).hasSize(9).doesNotContain("poison");
            assertThat(application.deadLetters()).containsExactly("poison");
        }
    }

    @Test
    void connectionThatIsCutBetweenCommitAndAcknowledgementHasOneEffect() {
        var address = RabbitService.address();
        try (var proxy = new TcpProxy(address.host(), address.port());
                var application = ListenerApplication.start(
                        One.class, "spring.rabbitmq.port=" + proxy.port(), "spring.rabbitmq.host=127.0.0.1")) {
            application.bean(One.Listener.class).afterCommit.set(() -> {
                proxy.cut();
                proxy.restore();
            });
            application.send("m1", "one");
            application.send("m2", "two");
            application.awaitEffects(2);
            application.awaitSettled();

            assertThat(application.effects()).containsExactlyInAnyOrder("one", "two");
        }
    }

    @Test
    void oneMessageInTwoQueuesHasAnEffectInEach() {
        RabbitQueues queues = RabbitQueues.shared();
        String exchange = RabbitQueues.uniqueName("fanout");
        String other = queues.declareWithDeadLetters("other");
        try (var application = ListenerApplication.start(Two.class, "other=" + other)) {
            queues.bind(application.queue(), exchange, "fanout");
            queues.bind(other, exchange, "fanout");
            for (int i = 0; i < 2; i++) {
                queues.send(exchange, "", new BasicProperties.Builder().messageId("m1"), "one");
            }
            application.awaitEffects(2);
            application.awaitSettled();

            assertThat(application.effects()).containsExactlyInAnyOrder("first one", "second one");
        }
    }

    @Test
    void idIsReadFromThePropertyAndFromHeadersOfEveryType() {
        try (var application = ListenerApplication.start(One.class)) {
            String id = UUID.randomUUID().toString();
            application.send(id, "one");
            application.sendWith(Map.of("message-id", id), "one");
            application.sendWith(Map.of("Message-ID", id.getBytes(java.nio.charset.StandardCharsets.UTF_8)), "one");
            application.sendWith(Map.of("message-id", 42), "two");
            application.sendWith(Map.of("message-id", 42L), "two");
            application.sendWith(Map.of("message-id", "42", "other", List.of(Map.of("a", 1))), "two");
            application.sendWith(Map.of("message-id", "x".repeat(5000)), "long");
            application.sendWith(Map.of("message-id", "x".repeat(5000)), "long");
            application.sendWith(Map.of("message-id", List.of("no id")), "list");
            application.sendWith(Map.of("message-id", ""), "blank");
            application.awaitSettled();

            assertThat(application.effects()).containsExactly("one", "two", "long");
            assertThat(application.deadLetters()).containsExactly("list", "blank");
        }
    }

    @Import(One.Listener.class)
    static class One {

        static class Listener {

            final AtomicReference<Runnable> afterCommit = new AtomicReference<>(() -> {});
            private final Effects effects;

            Listener(Effects effects) {
                this.effects = effects;
            }

            @RabbitListener(queues = "${queue}")
            @IdempotentConsumer
            void on(String payload) {
                if (payload.equals("poison")) {
                    throw new IllegalStateException("poison");
                }
                effects.add(payload);
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        afterCommit.getAndSet(() -> {}).run();
                    }
                });
            }
        }
    }

    @Import(Two.Listener.class)
    static class Two {

        record Listener(Effects effects) {

            @RabbitListener(queues = "${queue}")
            @IdempotentConsumer
            void first(String payload) {
                effects.add("first " + payload);
            }

            @RabbitListener(queues = "${other}")
            @IdempotentConsumer
            void second(String payload) {
                effects.add("second " + payload);
            }
        }
    }
}
