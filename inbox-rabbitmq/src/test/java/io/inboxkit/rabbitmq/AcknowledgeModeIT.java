package io.inboxkit.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import io.inboxkit.IdempotentConsumer;
import io.inboxkit.rabbitmq.ListenerApplication.Effects;
import io.inboxkit.testkit.NeedsRabbitMq;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.context.annotation.Import;
import org.springframework.messaging.handler.annotation.Header;

class AcknowledgeModeIT {

    @ParameterizedTest
    @CsvSource({"simple", "direct"})
    void containerAcknowledgesNewDuplicateAndRetried(String type) {
        verify(ContainerAcknowledges.class, type, "AUTO", List.of());
    }

    @ParameterizedTest
    @CsvSource({"simple", "direct"})
    @NeedsRabbitMq
    void duplicatesAreAcknowledgedForTheHandler(String type) {
        verify(HandlerAcknowledges.class, type, "MANUAL", List.of("nacked once", "rejected"));
    }

    private static void verify(Class<?> listener, String type, String mode, List<String> more) {
        try (var application = ListenerApplication.start(
                listener,
                "spring.rabbitmq.listener.type=" + type,
                "spring.rabbitmq.listener." + type + ".acknowledge-mode=" + mode)) {
            application.send("m1", "one");
            application.send("m1", "one");
            application.send("m2", "fails once");
            application.send("m2", "fails once");
            more.forEach(body -> application.send(body, body));

            application.awaitSettled();

            assertThat(application.effects())
                    .containsExactlyInAnyOrderElementsOf(
                            more.isEmpty()
                                    ? List.of("one", "fails once")
                                    : List.of("one", "fails once", "nacked once"));
            assertThat(application.deadLetters()).isEqualTo(more.isEmpty() ? List.of() : List.of("rejected"));
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

            @RabbitListener(queues = "${queue}")
            @IdempotentConsumer
            void on(String payload) {
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

            private final AtomicInteger failures = new AtomicInteger();
            private final AtomicInteger nacks = new AtomicInteger();
            private final Effects effects;

            Listener(Effects effects) {
                this.effects = effects;
            }

            @RabbitListener(queues = "${queue}")
            @IdempotentConsumer
            void on(String payload, Message message, Channel channel, @Header(AmqpHeaders.DELIVERY_TAG) long tag)
                    throws IOException {
                effects.add(payload);
                switch (payload) {
                    case "rejected" -> channel.basicReject(tag, false);
                    case "nacked once" -> {
                        if (nacks.getAndIncrement() == 0) {
                            channel.basicNack(tag, false, true);
                        } else {
                            channel.basicAck(tag, false);
                        }
                    }
                    case "fails once" -> {
                        channel.basicAck(tag, false);
                        if (failures.getAndIncrement() == 0) {
                            throw new IllegalStateException("first attempt");
                        }
                    }
                    default -> {
                        // Twice would close the channel.
                        channel.basicAck(tag, false);
                        channel.basicAck(message.getMessageProperties().getDeliveryTag(), true);
                    }
                }
            }
        }
    }
}
