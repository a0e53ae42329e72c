package io.inboxkit.kafka;

import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.kafka.common.Configurable;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.metrics.Monitorable;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.util.ClassUtils;

/**
 * Stands around the value deserialiser of an idempotent listener and notes the bytes that it reads, for the message's
 * fingerprint. Public only because the Kafka client creates it; applications never configure it. As thread-safe as the
 * deserialiser that it stands around.
 *
 * @param <T> the type of the payload
 */
public final class WireBytesDeserializer<T> implements Deserializer<T>, Monitorable {

    /** Consumer property: the deserialiser's class or its name. */
    static final String DELEGATE_CONFIG = "inbox.value.deserializer";

    /** Consumer property: the {@link WireBytes} that takes the payloads. */
    static final String WIRE_BYTES_CONFIG = "inbox.wire.bytes";

    private @Nullable Deserializer<T> delegate;

    private @Nullable WireBytes wireBytes;

    /** For the Kafka client; the deserialiser to stand around comes with the configuration. */
    public WireBytesDeserializer() {}

    WireBytesDeserializer(Deserializer<T> delegate, WireBytes wireBytes) {
        this.delegate = delegate;
        this.wireBytes = wireBytes;
    }

    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        if (delegate == null) {
            wireBytes = (WireBytes) configs.get(WIRE_BYTES_CONFIG);
            delegate = create(configs.get(DELEGATE_CONFIG));
            // The Kafka client does both calls for a class that is both.
            if (delegate instanceof Configurable configurable) {
                configurable.configure(configs);
            }
        }
        delegate().configure(configs, isKey);
    }

    @SuppressWarnings("unchecked")
    private static <T> Deserializer<T> create(@Nullable Object configured) {
        Object type = configured instanceof String name
                ? ClassUtils.resolveClassName(name.trim(), ClassUtils.getDefaultClassLoader())
                : configured;
        if (type instanceof Class<?> deserializer && Deserializer.class.isAssignableFrom(deserializer)) {
            return (Deserializer<T>) BeanUtils.instantiateClass(deserializer);
        }
        throw new ConfigException(
                DELEGATE_CONFIG,
                configured,
                "is no Deserializer. This property belongs to the inbox"
                        + " and is set by it; the application's own one is value.deserializer");
    }

    @Override
    public @Nullable T deserialize(String topic, byte @Nullable [] data) {
        return delegate().deserialize(topic, data);
    }

    @Override
    public @Nullable T deserialize(String topic, Headers headers, byte @Nullable [] data) {
        if (data != null) {
            keep(headers, data.clone());
        }
        return delegate().deserialize(topic, headers, data);
    }

    // The one that the consumer calls. The buffer is part of a whole fetch response, which a reference to it would
    // keep.
    @Override
    public @Nullable T deserialize(String topic, Headers headers, @Nullable ByteBuffer data) {
        if (data != null) {
            byte[] payload = new byte[data.remaining()];
            data.duplicate().get(payload);
            keep(headers, payload);
        }
        return delegate().deserialize(topic, headers, data);
    }

    private void keep(Headers headers, byte[] payload) {
        if (wireBytes != null) {
            wireBytes.keep(headers, payload);
        }
    }

    @Override
    public void withPluginMetrics(PluginMetrics metrics) {
        if (delegate instanceof Monitorable monitorable) {
            monitorable.withPluginMetrics(metrics);
        }
    }

    @Override
    public void close() {
        if (delegate != null) {
            delegate.close();
        }
    }

    @Override
    public String toString() {
        return String.valueOf(delegate);
    }

    private Deserializer<T> delegate() {
        if (delegate == null) {
            throw new IllegalStateException("The deserialiser has not been configured");
        }
        return delegate;
    }
}
