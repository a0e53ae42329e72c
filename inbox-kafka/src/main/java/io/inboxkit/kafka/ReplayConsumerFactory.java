package io.inboxkit.kafka;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.ConsumerFactory;

/**
 * The consumer factory of a listener, for the container of a replay: with the same settings, but a group of its own, which
 * nothing is ever committed for.
 */
final class ReplayConsumerFactory<K, V> implements ConsumerFactory<K, V> {

    private final ConsumerFactory<K, V> original;
    private final String group;
    private final ReplayReader reader;

    /**
     * @param group the group that the consumer says it is in; only transactions of Kafka ever tell it to the broker
     */
    ReplayConsumerFactory(ConsumerFactory<K, V> original, String group, ReplayReader reader) {
        this.original = original;
        this.group = group;
        this.reader = reader;
    }

    @Override
    @SuppressWarnings("unchecked")
    public Consumer<K, V> createConsumer(
            @Nullable String groupId,
            @Nullable String clientIdPrefix,
            @Nullable String clientIdSuffix,
            @Nullable Properties properties) {
        Properties own = new Properties();
        if (properties != null) {
            own.putAll(properties);
            properties.stringPropertyNames().forEach(name -> own.setProperty(name, properties.getProperty(name)));
        }
        own.setProperty(ConsumerConfig.GROUP_ID_CONFIG, group);
        own.setProperty(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        // Where records have expired since the start of the run, the first that are left come next.
        own.setProperty(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        Integer most = reader.mostRecords();
        if (most != null && most < configuredMost(own)) {
            own.setProperty(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, most.toString());
        }
        Consumer<K, V> consumer = original.createConsumer(group, clientIdPrefix, clientIdSuffix, own);
        return (Consumer<K, V>) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Consumer.class}, new ReplayConsumer<>(consumer, reader));
    }

    private int configuredMost(Properties own) {
        Object configured = own.getProperty(ConsumerConfig.MAX_POLL_RECORDS_CONFIG);
        if (configured == null) {
            configured = original.getConfigurationProperties().get(ConsumerConfig.MAX_POLL_RECORDS_CONFIG);
        }
        return configured == null ? ConsumerConfig.DEFAULT_MAX_POLL_RECORDS : Integer.parseInt(configured.toString());
    }

    @Override
    public boolean isAutoCommit() {
        return false;
    }

    @Override
    public Map<String, Object> getConfigurationProperties() {
        return original.getConfigurationProperties();
    }

    @Override
    public @Nullable Deserializer<K> getKeyDeserializer() {
        return original.getKeyDeserializer();
    }

    @Override
    public @Nullable Deserializer<V> getValueDeserializer() {
        return original.getValueDeserializer();
    }

    @Override
    public List<Listener<K, V>> getListeners() {
        return original.getListeners();
    }
}
