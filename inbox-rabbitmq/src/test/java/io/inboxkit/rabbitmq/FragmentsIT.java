package io.inboxkit.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import io.inboxkit.IdempotentConsumer;
import io.inboxkit.rabbitmq.ListenerApplication.Effects;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.batch.SimpleBatchingStrategy;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.BatchingRabbitTemplate;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;

class FragmentsIT {

    @ParameterizedTest
    @CsvSource({"simple,AUTO", "direct,AUTO", "simple,MANUAL", "direct,MANUAL"})
    void messagesOfAProducersBatchAreDifferentMessages(String type, String mode) {
        try (var application = ListenerApplication.start(
                mode.equals("AUTO") ? ContainerAcknowledges.class : HandlerAcknowledges.class,
                "spring.rabbitmq.listener.type=" + type,
                "spring.rabbitmq.listener." + type + ".acknowledge-mode=" + mode)) {
            sendBatch(application, "b1", "one", "two", "three");
            sendBatch(application, "b1", "one", "two", "three");
            application.send("m1", "four");
            application.awaitSettled();

            assertThat(application.effects()).containsExactly("one", "two", "three", "four");
        }
    }

    @Test
    void aRedeliveredBatchGoesOnWhereItFailed() {
        try (var application = ListenerApplication.start(ContainerAcknowledges.class)) {
            sendBatch(application, "b1", "one", "fails once", "three");
            application.awaitSettled();

            assertThat(application.effects()).containsExactly("one", "fails once", "three");
            assertThat(application.bean(ContainerAcknowledges.Listener.class).calls)
                    .hasValue(4);
        }
    }

    private static void sendBatch(ListenerApplication application, String id, String... bodies) {
        var template = new BatchingRabbitTemplate(
                application.bean(ConnectionFactory.class),
                new SimpleBatchingStrategy(bodies.length, 100_000, 60_000),
                new SimpleAsyncTaskScheduler());
        for (String body : List.of(bodies)) {
            template.send(
                    "",
                    application.queue(),
                    MessageBuilder.withBody(body.getBytes(java.nio.charset.StandardCharsets.UTF_8))
                            .setContentType("text/plain")
                            .setMessageId(id)
                            .build());
        }
    }

    @Import(ContainerAcknowledges.Listener.class)
    static class ContainerAcknowledges {

        static class Listener {

            final AtomicInteger calls = new AtomicInteger();
            private final AtomicInteger failures = new AtomicInteger();
            private final Effects effects;

            Listener(Effects effects) {
                this.effects = effects;
            }

            @RabbitListener(queues = "${queue}")
            @IdempotentConsumer
            void on(String payload) {
                calls.incrementAndGet();
                effects.add(payload);
                if (payload.startsWith("fails") && failures.getAndIncrement() == 0) {
                    throw new IllegalStateException("first attempt");
                }
            }
        }
    }

    @Import(HandlerAcknowledges.Listener.class)
    static class HandlerAcknowledges {

        static class Listener {

            private final Effects effects;

            Listener(Effects effects) {
                this.effects = effects;
            }

            @RabbitListener(queues = "${queue}")
            @IdempotentConsumer
            void on(String payload, Message message, Channel channel) throws IOException {
                effects.add(payload);
                var properties = message.getMessageProperties();
                if (properties.isLastInBatch() || !properties.getHeaders().containsKey("amqp_batchSize")) {
                    channel.basicAck(properties.getDeliveryTag(), false);
                }
            }
        }
    }
}
