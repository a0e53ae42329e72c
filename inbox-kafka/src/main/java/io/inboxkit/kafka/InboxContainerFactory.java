package io.inboxkit.kafka;

import java.util.regex.Pattern;
import org.springframework.kafka.config.KafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpoint;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.support.TopicPartitionOffset;

/** A factory of containers that sees each endpoint before, and its container after the creation, both before the start. */
final class InboxContainerFactory<C extends MessageListenerContainer> implements KafkaListenerContainerFactory<C> {

    private final KafkaListenerContainerFactory<C> delegate;
    private final KafkaListenerEndpointRegistry registry;
    private final InboxListeners listeners;
    private final boolean startsNow;

    InboxContainerFactory(
            KafkaListenerContainerFactory<C> delegate,
            KafkaListenerEndpointRegistry registry,
            InboxListeners listeners,
            boolean startsNow) {
        this.delegate = delegate;
        this.registry = registry;
        this.listeners = listeners;
        this.startsNow = startsNow;
    }

    @Override
    public C createListenerContainer(KafkaListenerEndpoint endpoint) {
        if (!(endpoint instanceof MethodKafkaListenerEndpoint<?, ?> methodEndpoint)) {
            return delegate.createListenerContainer(endpoint);
        }
        InboxListener listener = listeners.prepare(methodEndpoint);
        C container = delegate.createListenerContainer(endpoint);
        listeners.complete(listener, delegate, container, registry, startsNow);
        return container;
    }

    @Override
    public C createContainer(TopicPartitionOffset... topicPartitions) {
        return delegate.createContainer(topicPartitions);
    }

    @Override
    public C createContainer(String... topics) {
        return delegate.createContainer(topics);
    }

    @Override
    public C createContainer(Pattern topicPattern) {
        return delegate.createContainer(topicPattern);
    }
}
