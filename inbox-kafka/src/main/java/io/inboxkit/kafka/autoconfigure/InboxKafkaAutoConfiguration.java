package io.inboxkit.kafka.autoconfigure;

import io.inboxkit.HeldDeliveries;
import io.inboxkit.InboxObserver;
import io.inboxkit.InterceptedHandlers;
import io.inboxkit.autoconfigure.ConditionalOnInboxSwitch;
import io.inboxkit.autoconfigure.InboxAutoConfiguration;
import io.inboxkit.autoconfigure.InboxProperties;
import io.inboxkit.kafka.InboxListeners;
import io.inboxkit.kafka.ListenerRegistryPostProcessor;
import io.inboxkit.kafka.TopicReplay;
import io.inboxkit.kafka.observe.ReplayEndpoint;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;

/** Puts the inbox around annotated Kafka listeners. With {@code inbox.enabled=false} they run as if not annotated. */
@AutoConfiguration(
        after = InboxAutoConfiguration.class,
        afterName = "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration")
@ConditionalOnClass(KafkaListenerEndpointRegistry.class)
@ConditionalOnInboxSwitch("inbox.enabled")
public final class InboxKafkaAutoConfiguration {

    @Bean
    static ListenerRegistryPostProcessor inboxListenerRegistryPostProcessor(ObjectProvider<InboxListeners> listeners) {
        return new ListenerRegistryPostProcessor(listeners);
    }

    @Bean
    @ConditionalOnMissingBean
    InboxListeners inboxListeners(
            ConfigurableListableBeanFactory beans,
            InboxProperties properties,
            HeldDeliveries deliveries,
            InterceptedHandlers intercepted,
            InboxObserver observer) {
        return new InboxListeners(beans, properties.listenerDefaults(), deliveries, intercepted, observer);
    }

    @Bean
    @ConditionalOnMissingBean
    TopicReplay inboxTopicReplay(ConfigurableListableBeanFactory beans, InboxListeners listeners) {
        return new TopicReplay(beans, listeners);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Endpoint.class)
    static class Endpoints {

        @Bean
        @ConditionalOnMissingBean
        ReplayEndpoint inboxReplayEndpoint(TopicReplay replay) {
            return new ReplayEndpoint(replay);
        }
    }
}
