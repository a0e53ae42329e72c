package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.inboxkit.Fingerprint;
import io.inboxkit.FingerprintMode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.support.serializer.DeserializationException;
import org.springframework.kafka.support.serializer.ErrorHandlingDeserializer;
import org.springframework.util.backoff.FixedBackOff;

class WireBytesIT {

    private final Queue<ConsumerRecord<?, ?>> received = new ConcurrentLinkedQueue<>();

    private final Queue<Exception> failures = new ConcurrentLinkedQueue<>();

    private final Queue<ConsumerRecord<?, ?>> failed = new ConcurrentLinkedQueue<>();

    private String topic = "";

    private @Nullable ConcurrentMessageListenerContainer<?, ?> container;

    @BeforeEach
    void newTopic() {
        topic = TestBroker.newTopic(1);
    }

    @AfterEach
    void stop() {
        if (container != null) {
            container.stop();
        }
    }

    @Test
    void configuredClassIsWrapped() {
        WireBytes bytes = start(new DefaultKafkaConsumerFactory<>(TestBroker.consumerConfig()), Map.of());
        TestBroker.send(topic, 0, "first", "second", "first");
        await().until(() -> received.size() == 3);
        assertThat(received).extracting(ConsumerRecord::value).asString().isEqualTo("[first, second, first]");
        assertFingerprints(bytes, "first", "second", "first");
        assertThat(received).allSatisfy(message -> assertThat(message.headers()).isEmpty());
    }

    @Test
    void deserializerObjectIsWrappedAndTheFactoryKeepsItsListenersAndItsDeserializer() {
        Deserializer<String> own = new StringDeserializer();
        AtomicInteger added = new AtomicInteger();
        AtomicInteger processed = new AtomicInteger();
        DefaultKafkaConsumerFactory<String, String> factory =
                new DefaultKafkaConsumerFactory<>(TestBroker.consumerConfig(), new StringDeserializer(), own);
        factory.setBeanName("factory");
        Queue<String> ids = new ConcurrentLinkedQueue<>();
        factory.addListener(new ConsumerFactory.Listener<>() {
            @Override
            public void consumerAdded(String id, Consumer<String, String> consumer) {
                ids.add(id);
                added.incrementAndGet();
            }
        });
        factory.addPostProcessor(consumer -> {
            processed.incrementAndGet();
            return consumer;
        });
        WireBytes bytes = start(factory, Map.of());
        TestBroker.send(topic, 0, "first", "second");
        await().until(() -> received.size() == 2);
        assertFingerprints(bytes, "first", "second");
        assertThat(added).hasValue(1);
        assertThat(processed).hasValue(1);
        assertThat(ids).singleElement().asString().startsWith("factory.");
        assertThat(factory.getValueDeserializer()).isSameAs(own);
    }

    @Test
    void deserializerOfTheContainersOwnPropertiesIsWrapped() {
        WireBytes bytes = start(
                new DefaultKafkaConsumerFactory<>(TestBroker.consumerConfig()),
                Map.of(
                        ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
                        "org.apache.kafka.common.serialization.ByteArrayDeserializer"));
        TestBroker.send(topic, 0, "first");
        await().until(() -> received.size() == 1);
        assertThat(received.element().value()).isEqualTo("first".getBytes(StandardCharsets.UTF_8));
        assertFingerprints(bytes, "first");
    }

    @Test
    void tombstoneIsKnown() {
        WireBytes bytes = start(new DefaultKafkaConsumerFactory<>(TestBroker.consumerConfig()), Map.of());
        TestBroker.send(topic, 0, (String) null);
        await().until(() -> received.size() == 1);
        assertThat(bytes.known(received.element())).isTrue();
        assertThat(bytes.of(received.element(), FingerprintMode.BYTES))
                .usingRecursiveComparison()
                .isEqualTo(Fingerprint.of(null, FingerprintMode.BYTES));
    }

    @Test
    void unreadablePayloadOfAConfiguredClassFailsAsBeforeAndIsNoTombstone() {
        Map<String, Object> config = TestBroker.consumerConfig();
        config.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ErrorHandlingDeserializer.class);
        config.put(ErrorHandlingDeserializer.VALUE_DESERIALIZER_CLASS, IntegerDeserializer.class);
        assertUnreadablePayloadFails(new DefaultKafkaConsumerFactory<>(config));
    }

    @Test
    void unreadablePayloadOfADeserializerObjectFailsAsBeforeAndIsNoTombstone() {
        assertUnreadablePayloadFails(new DefaultKafkaConsumerFactory<>(
                TestBroker.consumerConfig(),
                new StringDeserializer(),
                new ErrorHandlingDeserializer<>(new IntegerDeserializer())));
    }

    private void assertUnreadablePayloadFails(DefaultKafkaConsumerFactory<?, ?> factory) {
        WireBytes bytes = start(factory, Map.of());
        TestBroker.send(topic, 0, "no integer");
        await().until(() -> failures.size() == 1);
        assertThat(received).isEmpty();
        assertThat(failures.element()).hasRootCauseInstanceOf(SerializationException.class);
        assertThat(failures.element()).isInstanceOfAny(DeserializationException.class, RuntimeException.class);
        assertThat(failed.element().value()).isNull();
        assertThat(bytes.of(failed.element(), FingerprintMode.BYTES))
                .usingRecursiveComparison()
                .isEqualTo(fingerprint("no integer"));
    }

    @Test
    void recordThatDidNotComeFromTheConsumerIsUnknown() {
        WireBytes bytes = start(new DefaultKafkaConsumerFactory<>(TestBroker.consumerConfig()), Map.of());
        ConsumerRecord<String, String> made = new ConsumerRecord<>(topic, 0, 0, "key", "value");
        assertThat(bytes.known(made)).isFalse();
        assertThat(bytes.of(made, FingerprintMode.BYTES)).isNull();
    }

    @Test
    void payloadIsForgottenWithItsRecord() {
        WireBytes bytes = new WireBytes();
        bytes.keep(new RecordHeaders(), new byte[10]);
        await().untilAsserted(() -> {
            System.gc();
            RecordHeaders alive = new RecordHeaders();
            bytes.keep(alive, new byte[10]);
            assertThat(bytes.size()).isLessThanOrEqualTo(1);
        });
    }

    @Test
    void factoryOfAnUnknownKindIsLeftAlone() {
        DefaultKafkaConsumerFactory<String, String> own =
                new DefaultKafkaConsumerFactory<>(TestBroker.consumerConfig()) {};
        ConcurrentMessageListenerContainer<String, String> untouched =
                new ConcurrentMessageListenerContainer<>(own, new ContainerProperties(topic));
        assertThat(WireBytes.install(untouched)).isNull();
        assertThat(untouched.getContainerProperties().getKafkaConsumerProperties())
                .isEmpty();
        assertThat(ContainerConsumerFactory.of(untouched)).isSameAs(own);
    }

    @Test
    void onlyTheListenersContainerIsChanged() {
        DefaultKafkaConsumerFactory<String, String> factory =
                new DefaultKafkaConsumerFactory<>(TestBroker.consumerConfig());
        Map<String, Object> before = factory.getConfigurationProperties();
        start(factory, Map.of());
        assertThat(factory.getConfigurationProperties()).isEqualTo(before);
    }

    private WireBytes start(DefaultKafkaConsumerFactory<?, ?> factory, Map<String, String> overrides) {
        ContainerProperties properties = new ContainerProperties(topic);
        properties.setGroupId("group-" + UUID.randomUUID());
        properties.setMessageListener((MessageListener<Object, Object>) received::add);
        Properties own = new Properties();
        own.putAll(overrides);
        properties.setKafkaConsumerProperties(own);
        ConcurrentMessageListenerContainer<?, ?> created =
                new ConcurrentMessageListenerContainer<>(factory, properties);
        created.setCommonErrorHandler(new DefaultErrorHandler(
                (message, failure) -> {
                    failed.add(message);
                    failures.add(failure);
                },
                new FixedBackOff(0, 0)));
        container = created;
        WireBytes bytes = WireBytes.install(created);
        assertThat(bytes).isNotNull();
        created.start();
        return bytes;
    }

    private void assertFingerprints(WireBytes bytes, String... payloads) {
        assertThat(received).allMatch(bytes::known);
        assertThat(received.stream()
                        .map(message -> bytes.of(message, FingerprintMode.BYTES))
                        .toList())
                .usingRecursiveComparison()
                .isEqualTo(
                        List.of(payloads).stream().map(WireBytesIT::fingerprint).toList());
    }

    private static @Nullable Fingerprint fingerprint(String payload) {
        return Fingerprint.of(payload.getBytes(StandardCharsets.UTF_8), FingerprintMode.BYTES);
    }
}
