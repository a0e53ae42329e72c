package io.inboxkit.kafka;

import io.inboxkit.Fingerprint;
import io.inboxkit.FingerprintMode;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;
import org.springframework.core.log.LogAccessor;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.ErrorHandlingUtils;
import org.springframework.util.ClassUtils;

/**
 * The bytes on the wire of the payloads that a listener has received, taken beside the value deserialiser. They are found
 * again by the very object that carries the record's headers, which the consumer hands to the deserialiser and then puts
 * into the record; so they need no header that users would see, or that a dead letter would carry on. Thread-safe.
 */
final class WireBytes {

    private static final LogAccessor LOG = new LogAccessor(WireBytes.class);

    private final Map<HeadersReference, byte[]> payloads = new ConcurrentHashMap<>();

    private final ReferenceQueue<Headers> collected = new ReferenceQueue<>();

    /**
     * Lets a container that has been created and not yet started keep the bytes of its payloads.
     *
     * @return the bytes, or {@code null} if they cannot be had from this container
     */
    static @Nullable WireBytes install(AbstractMessageListenerContainer<?, ?> container) {
        try {
            ConsumerFactory<?, ?> factory = ContainerConsumerFactory.of(container);
            // A subclass may create its consumers in any way; then bytes could be missing, or be those of other bytes.
            if (factory.getClass() != DefaultKafkaConsumerFactory.class) {
                return null;
            }
            WireBytes bytes = new WireBytes();
            // A deserialiser that is given as an object goes before any configured class.
            if (factory.getValueDeserializer() != null) {
                ContainerConsumerFactory.replace(
                        container, new WireBytesConsumerFactory<>((DefaultKafkaConsumerFactory<?, ?>) factory, bytes));
                return bytes;
            }
            return bytes.wrapConfigured(container, factory) ? bytes : null;
        } catch (RuntimeException e) {
            LOG.debug(e, () -> "No access to the payload bytes of listener '%s'".formatted(container.getListenerId()));
            return null;
        }
    }

    private boolean wrapConfigured(AbstractMessageListenerContainer<?, ?> container, ConsumerFactory<?, ?> factory) {
        Properties overrides = ContainerConsumerFactory.overrides(container);
        Object configured = overrides.get(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);
        if (configured == null) {
            configured = factory.getConfigurationProperties().get(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);
        }
        if (configured == null) {
            return false;
        }
        // Asked before the class is replaced: afterwards the container would not see an ErrorHandlingDeserializer, and
        // take a payload that it could not read for a tombstone.
        if (ErrorHandlingUtils.checkDeserializer(factory, overrides, true, ClassUtils.getDefaultClassLoader())) {
            container.getContainerProperties().setCheckDeserExWhenValueNull(true);
        }
        overrides.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, WireBytesDeserializer.class);
        overrides.put(WireBytesDeserializer.DELEGATE_CONFIG, configured);
        overrides.put(WireBytesDeserializer.WIRE_BYTES_CONFIG, this);
        container.getContainerProperties().setKafkaConsumerProperties(overrides);
        return true;
    }

    /** Whether the payload of this record is known as it was on the wire; a tombstone is. */
    boolean known(ConsumerRecord<?, ?> consumerRecord) {
        return payloads.containsKey(new HeadersReference(consumerRecord.headers(), null)) || tombstone(consumerRecord);
    }

    /**
     * The fingerprint of the payload as it was on the wire.
     *
     * @return {@code null} if the payload is not known, for example of a record that an interceptor made, or if the mode
     *     wants none
     */
    @Nullable
    Fingerprint of(ConsumerRecord<?, ?> consumerRecord, FingerprintMode mode) {
        byte[] payload = payloads.get(new HeadersReference(consumerRecord.headers(), null));
        return payload != null || tombstone(consumerRecord) ? Fingerprint.of(payload, mode) : null;
    }

    /** A payload that could not be read is null as well, but had a size. */
    private static boolean tombstone(ConsumerRecord<?, ?> consumerRecord) {
        return consumerRecord.value() == null && consumerRecord.serializedValueSize() == ConsumerRecord.NULL_SIZE;
    }

    void keep(Headers headers, byte[] payload) {
        for (Object gone = collected.poll(); gone != null; gone = collected.poll()) {
            payloads.remove(gone);
        }
        payloads.put(new HeadersReference(headers, collected), payload);
    }

    /** How many payloads are kept. */
    int size() {
        return payloads.size();
    }

    /** A deserialiser that keeps what it reads, around one of the user's. */
    <T> Deserializer<T> keeping(Deserializer<T> delegate) {
        return new WireBytesDeserializer<>(delegate, this);
    }

    /** Equal only to a reference to the same object: headers of two records may well have equal contents. */
    private static final class HeadersReference extends WeakReference<Headers> {

        private final int hash;

        HeadersReference(Headers headers, @Nullable ReferenceQueue<Headers> queue) {
            super(headers, queue);
            this.hash = System.identityHashCode(headers);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            if (this == other) {
                return true;
            }
            Headers headers = get();
            return headers != null && other instanceof HeadersReference reference && reference.refersTo(headers);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
