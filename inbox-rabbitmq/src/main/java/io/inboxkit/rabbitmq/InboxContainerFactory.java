package io.inboxkit.rabbitmq;

import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.listener.MethodRabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.RabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpoint;

/** A factory of containers that sees each endpoint before, and its container after the creation, both before the start. */
final class InboxContainerFactory implements RabbitListenerContainerFactory<MessageListenerContainer> {

    private final RabbitListenerContainerFactory<?> delegate;
    private final InboxListeners listeners;
    private final boolean startsNow;

    InboxContainerFactory(RabbitListenerContainerFactory<?> delegate, InboxListeners listeners, boolean startsNow) {
        this.delegate = delegate;
        this.listeners = listeners;
        this.startsNow = startsNow;
    }

    @Override
    public MessageListenerContainer createListenerContainer(@Nullable RabbitListenerEndpoint endpoint) {
        if (!(endpoint instanceof MethodRabbitListenerEndpoint methodEndpoint)) {
            return delegate.createListenerContainer(endpoint);
        }
        InboxListener listener = listeners.prepare(methodEndpoint);
        MessageListenerContainer container = delegate.createListenerContainer(endpoint);
        listeners.complete(listener, container, startsNow);
        return container;
    }
}
