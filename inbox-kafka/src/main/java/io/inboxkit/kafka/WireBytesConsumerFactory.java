package io.inboxkit.kafka;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.ConsumerPostProcessor;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.util.ReflectionUtils;

/**
 * A consumer factory of the application, seen by one container: with the same settings, listeners and post-processors,
 * also those that are changed later, but a value deserialiser that notes the bytes it reads. Needed where the application
 * gave the factory a deserialiser object, which goes before any configured class.
 */
final class WireBytesConsumerFactory<K, V> implements ConsumerFactory<K, V> {

    private final DefaultKafkaConsumerFactory<K, V> original;

    private final WireBytes wireBytes;

    private final boolean configureDeserializers;

    private final String beanName;

    private final @Nullable ApplicationContext applicationContext;

    WireBytesConsumerFactory(DefaultKafkaConsumerFactory<K, V> original, WireBytes wireBytes) {
        this.original = original;
        this.wireBytes = wireBytes;
        // Read here, so that a framework without these fields fails before anything has been changed.
        this.configureDeserializers = Boolean.TRUE.equals(read("configureDeserializers"));
        this.beanName = String.valueOf(read("beanName"));
        this.applicationContext = (ApplicationContext) read("applicationContext");
    }

    @Override
    public Consumer<K, V> createConsumer(
            @Nullable String groupId,
            @Nullable String clientIdPrefix,
            @Nullable String clientIdSuffix,
            @Nullable Properties properties) {
        DefaultKafkaConsumerFactory<K, V> copy = new DefaultKafkaConsumerFactory<>(
                original.getConfigurationProperties(),
                original::getKeyDeserializer,
                this::keepingDeserializer,
                configureDeserializers);
        copy.setBeanName(beanName);
        if (applicationContext != null) {
            copy.setApplicationContext(applicationContext);
        }
        original.getListeners().forEach(copy::addListener);
        original.getPostProcessors().forEach(copy::addPostProcessor);
        return copy.createConsumer(groupId, clientIdPrefix, clientIdSuffix, properties);
    }

    private @Nullable Deserializer<V> keepingDeserializer() {
        Deserializer<V> deserializer = original.getValueDeserializer();
        return deserializer == null ? null : wireBytes.keeping(deserializer);
    }

    private @Nullable Object read(String name) {
        Field field = ReflectionUtils.findField(DefaultKafkaConsumerFactory.class, name);
        if (field == null) {
            throw new IllegalStateException("This version of spring-kafka has no field " + name);
        }
        ReflectionUtils.makeAccessible(field);
        return ReflectionUtils.getField(field, original);
    }

    @Override
    public boolean isAutoCommit() {
        return original.isAutoCommit();
    }

    @Override
    public Map<String, Object> getConfigurationProperties() {
        return original.getConfigurationProperties();
    }

    @Override
    public @Nullable Deserializer<K> getKeyDeserializer() {
        return original.getKeyDeserializer();
    }

    /** The application's own: the container looks at its class. */
    @Override
    public @Nullable Deserializer<V> getValueDeserializer() {
        return original.getValueDeserializer();
    }

    @Override
    public void addListener(Listener<K, V> listener) {
        original.addListener(listener);
    }

    @Override
    public void addListener(int index, Listener<K, V> listener) {
        original.addListener(index, listener);
    }

    @Override
    public boolean removeListener(Listener<K, V> listener) {
        return original.removeListener(listener);
    }

    @Override
    public List<Listener<K, V>> getListeners() {
        return original.getListeners();
    }

    @Override
    public void addPostProcessor(ConsumerPostProcessor<K, V> postProcessor) {
        original.addPostProcessor(postProcessor);
    }

    @Override
    public boolean removePostProcessor(ConsumerPostProcessor<K, V> postProcessor) {
        return original.removePostProcessor(postProcessor);
    }

    @Override
    public List<ConsumerPostProcessor<K, V>> getPostProcessors() {
        return original.getPostProcessors();
    }

    @Override
    public void updateConfigs(Map<String, Object> updates) {
        original.updateConfigs(updates);
    }

    @Override
    public void removeConfig(String configKey) {
        original.removeConfig(configKey);
    }
}
