package io.inboxkit.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import io.inboxkit.BatchFailurePolicy;
import io.inboxkit.IdempotentConsumer;
import io.inboxkit.rabbitmq.ListenerApplication.Effects;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.context.annotation.Import;

class ConsumerBatchIT {

    @ParameterizedTest
    @ValueSource(classes = {OfPayloads.class, OfAmqpMessages.class, OfMessages.class})
    void aBatchIsHandledInOneCallWithoutItsDuplicates(Class<?> listener) {
        try (var application = start(listener)) {
            send(application, "m1:one", "m2:two", "m1:one", "m3:three");
            application.bean(RabbitListenerEndpointRegistry.class).start();
            application.awaitSettled();
            assertThat(application.bean(Recorder.class).calls).containsExactly(List.of("one", "two", "three"));

            send(application, "m3:three", "m2:two", "m4:four");
            application.awaitSettled();
            assertThat(application.effects()).containsExactly("one", "two", "three", "four");
        }
    }

    @ParameterizedTest
    @CsvSource({"m1:one m2:poison m3:three", "m1:one m3:three m2:poison", "m2:poison m1:one m3:three"})
    void aPoisonMessageIsRejectedAloneWhereverItStands(String messages) {
        try (var application = start(OfPayloads.class)) {
            send(application, messages.split(" "));
            application.bean(RabbitListenerEndpointRegistry.class).start();
            application.awaitSettled();

            assertThat(application.effects()).containsExactly("one", "three");
            assertThat(application.deadLetters()).containsExactly("poison");
            assertThat(application.inbox().find(application.queue(), "m2"))
                    .hasValueSatisfying(entry -> assertThat(entry.state()).hasToString("OPEN"));
        }
    }

    @Test
    void aBatchThatIsTriedAgainInPlaceSettlesNothingTwice() {
        try (var application = start(
                OfPayloads.class,
                "spring.rabbitmq.listener.simple.retry.enabled=true",
                "spring.rabbitmq.listener.simple.retry.max-retries=2",
                "spring.rabbitmq.listener.simple.retry.initial-interval=10ms")) {
            send(application, "m1:one", "m2:fails twice");
            application.bean(RabbitListenerEndpointRegistry.class).start();
            application.awaitSettled();

            assertThat(application.effects()).containsExactly("one", "fails twice");
            // Together, each alone, and the failed one once more; a closed channel would bring them again.
            assertThat(application.bean(Recorder.class).calls).hasSize(4);
        }
    }

    @ParameterizedTest
    @CsvSource({"m1:one :nameless m3:three", "m1:one m3:three :nameless", "m1:one m1:other m3:three"})
    void aRefusedMessageIsRejectedAloneWhereverItStands(String messages) {
        try (var application = start(OfPayloads.class)) {
            send(application, messages.split(" "));
            application.bean(RabbitListenerEndpointRegistry.class).start();
            application.awaitSettled();

            assertThat(application.effects()).containsExactly("one", "three");
            assertThat(application.deadLetters())
                    .hasSize(1)
                    .allMatch(body -> body.equals("nameless") || body.equals("other"));
        }
    }

    @Test
    void aFailedBatchGoesBackAsAWholeOnRequest() {
        try (var application = start(FailingOnce.class)) {
            send(application, "m1:one", "m2:two");
            application.bean(RabbitListenerEndpointRegistry.class).start();
            application.awaitSettled();

            assertThat(application.bean(Recorder.class).calls)
                    .allSatisfy(call -> assertThat(call).hasSize(2));
            assertThat(application.effects()).containsExactlyInAnyOrder("one", "two");
        }
    }

    @Test
    void whatTheHandlerAcknowledgesAndRefusesItselfIsSettledOnce() {
        try (var application = start(Acknowledging.class, "spring.rabbitmq.listener.simple.acknowledge-mode=MANUAL")) {
            send(application, "m1:one", "m2:rejected", "m1:one", "m3:three", "m3:three");
            application.bean(RabbitListenerEndpointRegistry.class).start();
            application.awaitSettled();

            assertThat(application.effects()).containsExactly("one", "three");
            assertThat(application.deadLetters()).containsExactly("rejected");
        }
    }

    private static ListenerApplication start(Class<?> listener, String... more) {
        List<String> properties = new ArrayList<>(List.of(
                "spring.rabbitmq.listener.simple.consumer-batch-enabled=true",
                "spring.rabbitmq.listener.simple.batch-size=10",
                "spring.rabbitmq.listener.simple.auto-startup=false"));
        properties.addAll(List.of(more));
        return ListenerApplication.start(listener, properties.toArray(String[]::new));
    }

    private static void send(ListenerApplication application, String... messages) {
        for (String message : messages) {
            int colon = message.indexOf(':');
            application.send(colon == 0 ? null : message.substring(0, colon), message.substring(colon + 1));
        }
    }

    static final class Recorder {

        final Queue<List<String>> calls = new ConcurrentLinkedQueue<>();
        private final AtomicInteger failures = new AtomicInteger();
        private final Effects effects;

        Recorder(Effects effects) {
            this.effects = effects;
        }

        void handle(List<String> payloads) {
            calls.add(List.copyOf(payloads));
            payloads.forEach(effects::add);
            if (payloads.contains("fails twice") && failures.getAndIncrement() < 2) {
                throw new IllegalStateException("fails twice");
            }
            if (payloads.contains("poison")) {
                throw new AmqpRejectAndDontRequeueException("poison");
            }
        }
    }

    @Import({Recorder.class, OfPayloads.Listener.class})
    static class OfPayloads {

        record Listener(Recorder recorder) {

            @RabbitListener(queues = "${queue}")
            @IdempotentConsumer
            void on(List<String> payloads) {
                recorder.handle(payloads);
            }
        }
    }

    @Import({Recorder.class, OfAmqpMessages.Listener.class})
    static class OfAmqpMessages {

        record Listener(Recorder recorder) {

            @RabbitListener(queues = "${queue}")
            @IdempotentConsumer
            void on(List<Message> messages) {
                recorder.handle(messages.stream()
                        .map(message -> new String(message.getBody(), UTF_8))
                        .toList());
            }
        }
    }

    @Import({Recorder.class, OfMessages.Listener.class})
    static class OfMessages {

        record Listener(Recorder recorder) {

            @RabbitListener(queues = "${queue}")
            @IdempotentConsumer
            void on(List<org.springframework.messaging.Message<String>> messages) {
                recorder.handle(messages.stream()
                        .map(org.springframework.messaging.Message::getPayload)
                        .toList());
            }
        }
    }

    @Import({Recorder.class, FailingOnce.Listener.class})
    static class FailingOnce {

        record Listener(Recorder recorder) {

            @RabbitListener(queues = "${queue}")
            @IdempotentConsumer(onBatchFailure = BatchFailurePolicy.FAIL_BATCH)
            void on(List<String> payloads) {
                recorder.handle(payloads);
                if (recorder.calls.size() == 1) {
                    throw new IllegalStateException("first attempt");
                }
            }
        }
    }

    @Import({Recorder.class, Acknowledging.Listener.class})
    static class Acknowledging {

        record Listener(Recorder recorder) {

            @RabbitListener(queues = "${queue}")
            @IdempotentConsumer
            void on(List<Message> messages, Channel channel) throws IOException {
                long last = 0;
                for (Message message : messages) {
                    last = message.getMessageProperties().getDeliveryTag();
                    String body = new String(message.getBody(), UTF_8);
                    recorder.handle(List.of(body));
                    if (body.equals("rejected")) {
                        channel.basicReject(last, false);
                        return;
                    }
                }
                channel.basicAck(last, true);
            }
        }
    }
}
