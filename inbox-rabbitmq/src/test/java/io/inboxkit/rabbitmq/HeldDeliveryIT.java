package io.inboxkit.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import io.inboxkit.HeldDeliveries;
import io.inboxkit.HeldDeliveries.HeldDelivery;
import io.inboxkit.IdempotentConsumer;
import io.inboxkit.InboxMessage;
import io.inboxkit.MessageInProgressException;
import io.inboxkit.MissingMessageIdException;
import io.inboxkit.rabbitmq.ListenerApplication.Broker;
import io.inboxkit.rabbitmq.ListenerApplication.Effects;
import io.inboxkit.testkit.NeedsRabbitMq;
import io.inboxkit.testkit.RabbitQueues;
import io.inboxkit.testkit.RabbitService;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.listener.ListenerExecutionFailedException;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.listener.api.RabbitListenerErrorHandler;
import org.springframework.context.annotation.Import;

class HeldDeliveryIT {

    @ParameterizedTest
    @ValueSource(strings = {"simple", "direct"})
    @NeedsRabbitMq
    void undecidedDeliveryIsHeldUnacknowledgedAndCountsForNothing(String type) throws Exception {
        // One counted delivery more, and the message would be among the dead letters.
        Map<String, Object> quorum = Map.of("x-queue-type", "quorum", "x-delivery-limit", 1);
        try (var application = ListenerApplication.start(
                new Broker(RabbitService.address(), quorum),
                Recording.class,
                "spring.rabbitmq.listener.type=" + type,
                "spring.rabbitmq.listener." + type + ".retry.enabled=true",
                "spring.rabbitmq.listener." + type + ".retry.max-retries=1",
                "inbox.claim.timeout=100ms")) {
            whileClaimed(application, "m1", held -> {
                assertThat(held.cause()).isInstanceOf(MessageInProgressException.class);
                assertThat(held.position()).startsWith(application.queue() + "#");
            });

            application.awaitEffects(1);
            application.awaitSettled();
            assertThat(application.bean(Recording.Listener.class).redelivered).containsExactly(false);
            assertThat(application.deadLetters()).isEmpty();
            assertThat(application.bean(HeldDeliveries.class).list()).isEmpty();
        }
    }

    @Test
    void undecidedDeliveryGoesBackToItsQueueWhenTheContainerStops() throws Exception {
        try (var application = ListenerApplication.start(
                Recording.class,
                "spring.rabbitmq.listener.simple.retry.enabled=true",
                "spring.rabbitmq.listener.simple.retry.max-retries=1",
                "inbox.claim.timeout=100ms")) {
            var registry = application.bean(RabbitListenerEndpointRegistry.class);
            whileClaimed(application, "m1", held -> {
                registry.stop();
                assertThat(RabbitQueues.shared().ready(application.queue())).isOne();
            });
            registry.start();
            application.awaitEffects(1);
            assertThat(application.bean(Recording.Swallowing.class).failures).isEmpty();
            assertThat(application.deadLetters()).isEmpty();
        }
    }

    private static void whileClaimed(ListenerApplication application, String id, Consumer<HeldDelivery> check)
            throws InterruptedException {
        CountDownLatch claimed = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            try {
                application.inbox().process(InboxMessage.of(application.queue(), id), () -> {
                    claimed.countDown();
                    end.await();
                    throw new IllegalStateException("rolled back");
                });
            } catch (IllegalStateException e) {
                // As intended.
            }
        });
        other.start();
        try {
            assertThat(claimed.await(30, TimeUnit.SECONDS)).isTrue();
            application.send(id, "one");
            check.accept(heldOf(application));
        } finally {
            end.countDown();
            other.join();
        }
    }

    @Test
    @NeedsRabbitMq
    void refusedMessageIsHeldWhereItsQueueHasNoDeadLetters() {
        String plain = RabbitQueues.shared().declareUnique("plain");
        try (var application =
                ListenerApplication.start(Recording.class, "queue=" + plain, "inbox.reject.without-dead-letter=HOLD")) {
            RabbitQueues.shared().send(plain, null, "nameless");
            HeldDelivery held = heldOf(application);

            assertThat(held.cause()).isInstanceOf(MissingMessageIdException.class);
            assertThat(RabbitQueues.shared().ready(plain)).isZero();
            application.bean(RabbitListenerEndpointRegistry.class).stop();
            assertThat(RabbitQueues.shared().bodies(plain)).containsExactly("nameless");
            assertThat(application.bean(Recording.Swallowing.class).failures).isEmpty();
        }
    }

    @Test
    void refusedMessageGoesOnWhereItMayBeLost() {
        String plain = RabbitQueues.shared().declareUnique("plain");
        try (var application =
                ListenerApplication.start(Recording.class, "queue=" + plain, "inbox.reject.without-dead-letter=DROP")) {
            RabbitQueues.shared().send(plain, null, "nameless");
            RabbitQueues.shared().send(plain, "m1", "one");
            application.awaitEffects(1);

            assertThat(application.effects()).containsExactly("one");
        }
    }

    private static HeldDelivery heldOf(ListenerApplication application) {
        HeldDeliveries deliveries = application.bean(HeldDeliveries.class);
        List<HeldDelivery> held =
                await().atMost(ListenerApplication.PATIENCE).until(deliveries::list, list -> !list.isEmpty());
        return held.get(0);
    }

    @Import({Recording.Listener.class, Recording.Swallowing.class})
    static class Recording {

        /** It must hear of nothing that is not the handler's own failure. */
        static class Swallowing implements RabbitListenerErrorHandler {

            final Queue<Exception> failures = new ConcurrentLinkedQueue<>();

            @Override
            public @Nullable Object handleError(
                    Message amqpMessage,
                    @Nullable Channel channel,
                    org.springframework.messaging.@Nullable Message<?> message,
                    ListenerExecutionFailedException failure) {
                failures.add(failure);
                return null;
            }
        }

        static class Listener {

            final Queue<Boolean> redelivered = new ConcurrentLinkedQueue<>();
            private final Effects effects;

            Listener(Effects effects) {
                this.effects = effects;
            }

            @RabbitListener(
                    queues = "${queue}",
                    errorHandler = "#{@'io.inboxkit.rabbitmq.HeldDeliveryIT$Recording$Swallowing'}")
            @IdempotentConsumer
            void on(String payload, Message message) {
                effects.add(payload);
                redelivered.add(message.getMessageProperties().isRedelivered());
            }
        }
    }
}
