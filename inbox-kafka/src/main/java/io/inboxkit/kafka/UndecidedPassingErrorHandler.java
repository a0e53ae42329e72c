package io.inboxkit.kafka;

import io.inboxkit.UndecidedMessageException;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.KafkaListenerErrorHandler;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.messaging.Message;

/**
 * Keeps undecided deliveries away from a listener's own error handler, which could take them for failures, swallow them
 * and so lose messages that are in good order. Everything else goes to that handler.
 */
final class UndecidedPassingErrorHandler implements KafkaListenerErrorHandler {

    private final KafkaListenerErrorHandler delegate;

    UndecidedPassingErrorHandler(KafkaListenerErrorHandler delegate) {
        this.delegate = delegate;
    }

    @Override
    public Object handleError(Message<?> message, ListenerExecutionFailedException exception) {
        passUndecided(exception);
        return delegate.handleError(message, exception);
    }

    @Override
    public Object handleError(
            Message<?> message, ListenerExecutionFailedException exception, @Nullable Consumer<?, ?> consumer) {
        passUndecided(exception);
        return delegate.handleError(message, exception, consumer);
    }

    // The only overload that the listener adapter calls; the delegate's own defaults lead on to the others.
    @Override
    public @Nullable Object handleError(
            Message<?> message,
            ListenerExecutionFailedException exception,
            @Nullable Consumer<?, ?> consumer,
            @Nullable Acknowledgment ack) {
        passUndecided(exception);
        return delegate.handleError(message, exception, consumer, ack);
    }

    private static void passUndecided(ListenerExecutionFailedException exception) {
        if (exception.contains(UndecidedMessageException.class)) {
            throw exception;
        }
    }
}
