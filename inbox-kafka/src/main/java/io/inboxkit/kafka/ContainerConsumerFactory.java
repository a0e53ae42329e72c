package io.inboxkit.kafka;

import java.lang.reflect.Field;
import java.util.Properties;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.util.ReflectionUtils;

/**
 * The consumer factory of a container, which the framework hides in a protected field. The factory of the container would
 * tell it as well, but not where it is decorated, as for retry topics.
 */
final class ContainerConsumerFactory {

    private ContainerConsumerFactory() {}

    /** @throws IllegalStateException if this version of the framework keeps it elsewhere */
    static ConsumerFactory<?, ?> of(AbstractMessageListenerContainer<?, ?> container) {
        Object factory = ReflectionUtils.getField(field(), container);
        if (factory instanceof ConsumerFactory<?, ?> consumerFactory) {
            return consumerFactory;
        }
        throw new IllegalStateException("Container '%s' has no consumer factory".formatted(container.getListenerId()));
    }

    /**
     * Gives a container that has not been started another consumer factory.
     *
     * @throws IllegalStateException if this version of the framework or of the JVM does not allow it
     */
    static void replace(AbstractMessageListenerContainer<?, ?> container, ConsumerFactory<?, ?> factory) {
        ReflectionUtils.setField(field(), container, factory);
        if (of(container) != factory) {
            throw new IllegalStateException(
                    "Container '%s' kept its consumer factory".formatted(container.getListenerId()));
        }
    }

    /** The container's own consumer properties, which override those of the factory. */
    static Properties overrides(AbstractMessageListenerContainer<?, ?> container) {
        Properties own = container.getContainerProperties().getKafkaConsumerProperties();
        Properties overrides = new Properties();
        overrides.putAll(own);
        // These include the defaults of the properties, which the copy above leaves out.
        own.stringPropertyNames().forEach(name -> overrides.setProperty(name, own.getProperty(name)));
        return overrides;
    }

    private static Field field() {
        Field field = ReflectionUtils.findField(AbstractMessageListenerContainer.class, "consumerFactory");
        if (field == null) {
            throw new IllegalStateException("This version of spring-kafka hides the consumer factory of a container");
        }
        ReflectionUtils.makeAccessible(field);
        return field;
    }
}
