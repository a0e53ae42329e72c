package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.inboxkit.InboxUnavailableException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;
import org.springframework.kafka.listener.ConsumerAwareListenerErrorHandler;
import org.springframework.kafka.listener.KafkaListenerErrorHandler;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.kafka.listener.ManualAckListenerErrorHandler;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.test.util.ReflectionTestUtils;

class UndecidedPassingErrorHandlerTest {

    private static final Message<?> MESSAGE = new GenericMessage<>("payload");

    private final List<String> calls = new ArrayList<>();

    @Test
    void everyKindOfHandlerGetsFailuresThroughTheMethodThatItImplements() {
        KafkaListenerErrorHandler plain = (message, exception) -> called("plain");
        ConsumerAwareListenerErrorHandler consumerAware = (message, exception, consumer) -> called("consumer aware");
        ManualAckListenerErrorHandler manual = new ManualAckListenerErrorHandler() {
            @Override
            public Object handleError(
                    Message<?> message,
                    ListenerExecutionFailedException exception,
                    @Nullable Consumer<?, ?> consumer,
                    @Nullable Acknowledgment ack) {
                return called("manual");
            }
        };
        ListenerExecutionFailedException failure =
                new ListenerExecutionFailedException("failed", new IllegalStateException("out of stock"));
        for (KafkaListenerErrorHandler handler : List.of(plain, consumerAware, manual)) {
            assertThat(new UndecidedPassingErrorHandler(handler).handleError(MESSAGE, failure, null, null))
                    .isEqualTo("result");
        }
        assertThat(calls).containsExactly("plain", "consumer aware", "manual");
    }

    @Test
    void undecidedDeliveryPassesTheHandler() {
        ListenerExecutionFailedException undecided = new ListenerExecutionFailedException(
                "failed", new IllegalStateException(new InboxUnavailableException("no connection", null)));
        KafkaListenerErrorHandler handler =
                new UndecidedPassingErrorHandler((message, exception) -> called("swallowed"));
        assertThatExceptionOfType(ListenerExecutionFailedException.class)
                .isThrownBy(() -> handler.handleError(MESSAGE, undecided, null, null))
                .isSameAs(undecided);
        assertThat(calls).isEmpty();
    }

    @Test
    void handlerOfAnEndpointIsWrappedOnce() {
        MethodKafkaListenerEndpoint<String, String> endpoint = new MethodKafkaListenerEndpoint<>();
        ErrorHandling.passUndecided(endpoint);
        assertThat(ReflectionTestUtils.getField(endpoint, "errorHandler")).isNull();

        endpoint.setErrorHandler((message, exception) -> called("own"));
        ErrorHandling.passUndecided(endpoint);
        Object wrapped = ReflectionTestUtils.getField(endpoint, "errorHandler");
        assertThat(wrapped).isInstanceOf(UndecidedPassingErrorHandler.class);
        ErrorHandling.passUndecided(endpoint);
        assertThat(ReflectionTestUtils.getField(endpoint, "errorHandler")).isSameAs(wrapped);
    }

    private Object called(String kind) {
        calls.add(kind);
        return "result";
    }
}
