package io.inboxkit.rabbitmq.autoconfigure;

import io.inboxkit.HeldDeliveries;
import io.inboxkit.InboxObserver;
import io.inboxkit.InterceptedHandlers;
import io.inboxkit.autoconfigure.ConditionalOnInboxSwitch;
import io.inboxkit.autoconfigure.InboxAutoConfiguration;
import io.inboxkit.autoconfigure.InboxProperties;
import io.inboxkit.rabbitmq.InboxListeners;
import io.inboxkit.rabbitmq.ListenerRegistryPostProcessor;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Puts the inbox around annotated RabbitMQ listeners. With {@code inbox.enabled=false} they run as if not annotated. */
@AutoConfiguration(
        after = InboxAutoConfiguration.class,
        afterName = "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration")
@ConditionalOnClass(RabbitListenerEndpointRegistry.class)
@ConditionalOnInboxSwitch("inbox.enabled")
public final class InboxRabbitAutoConfiguration {

    @Bean
    static ListenerRegistryPostProcessor inboxRabbitListenerRegistryPostProcessor(
            ObjectProvider<InboxListeners> listeners) {
        return new ListenerRegistryPostProcessor(listeners);
    }

    @Bean
    @ConditionalOnMissingBean
    InboxListeners inboxRabbitListeners(
            ConfigurableListableBeanFactory beans,
            InboxProperties properties,
            HeldDeliveries deliveries,
            InterceptedHandlers intercepted,
            InboxObserver observer) {
        return new InboxListeners(beans, properties.listenerDefaults(), deliveries, intercepted, observer);
    }
}
