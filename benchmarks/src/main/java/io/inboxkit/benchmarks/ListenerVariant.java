package io.inboxkit.benchmarks;

import io.inboxkit.IdempotentConsumer;
import io.inboxkit.autoconfigure.InboxAutoConfiguration;
import io.inboxkit.kafka.autoconfigure.InboxKafkaAutoConfiguration;
import io.inboxkit.testkit.KafkaService;
import io.inboxkit.testkit.KafkaTopics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.Deserializer;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.AcknowledgingConsumerAwareMessageListener;
import org.springframework.kafka.listener.ContainerProperties;

/**
 * The path of a record through a real {@code @KafkaListener}: from the listener adapter on, with header search, wire bytes and
 * position. The container is not started, and the records are made here, so no time of the broker is in it.
 */
final class ListenerVariant implements Variant, AutoCloseable {

    private static final String TOPIC = "payments";
    private static final int PARTITIONS = 16;

    private final String topic;
    private final ConfigurableApplicationContext application;
    private final AcknowledgingConsumerAwareMessageListener<String, Delivery> listener;
    private final Deserializer<?> deserializer;

    ListenerVariant(DataSource pool, JdbcTransactionManager manager, Payments payments) {
        topic = KafkaTopics.createUnique(TOPIC, PARTITIONS);
        application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .initializers((GenericApplicationContext context) -> {
                    context.registerBean(DataSource.class, () -> pool, bean -> bean.setDestroyMethodName(""));
                    context.registerBean(JdbcTransactionManager.class, () -> manager);
                    context.registerBean(Payments.class, () -> payments);
                    context.registerBean(MeterRegistry.class, SimpleMeterRegistry::new);
                })
                .properties(
                        "topic=" + topic,
                        "spring.main.banner-mode=off",
                        "spring.kafka.bootstrap-servers=" + KafkaService.bootstrapServers(),
                        "inbox.schema.mode=NONE",
                        "inbox.purge.enabled=false")
                .run();
        ContainerProperties container = Objects.requireNonNull(
                        application.getBean(KafkaListenerEndpointRegistry.class).getListenerContainer("payments"))
                .getContainerProperties();
        listener = listener(container);
        deserializer = deserializer(container.getKafkaConsumerProperties());
    }

    // The listener takes what this class gives it.
    @SuppressWarnings("unchecked")
    private static AcknowledgingConsumerAwareMessageListener<String, Delivery> listener(ContainerProperties container) {
        return (AcknowledgingConsumerAwareMessageListener<String, Delivery>)
                Objects.requireNonNull(container.getMessageListener());
    }

    /** The one that the Kafka client would create for this container. */
    private static Deserializer<?> deserializer(Properties properties) {
        Map<String, Object> configuration = new HashMap<>();
        properties.forEach((name, value) -> configuration.put(String.valueOf(name), value));
        Class<?> type =
                (Class<?>) Objects.requireNonNull(properties.get(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG));
        Deserializer<?> deserializer = (Deserializer<?>) BeanUtils.instantiateClass(type);
        deserializer.configure(configuration, false);
        return deserializer;
    }

    @Override
    public String name() {
        return "inbox-listener";
    }

    @Override
    public void deliver(Delivery delivery) {
        Headers headers = new RecordHeaders();
        headers.add("message-id", delivery.id().getBytes(StandardCharsets.UTF_8));
        byte[] payload = delivery.payload().getBytes(StandardCharsets.UTF_8);
        deserializer.deserialize(topic, headers, payload);
        listener.onMessage(
                new ConsumerRecord<>(
                        topic,
                        delivery.position().partition(),
                        delivery.position().offset(),
                        0L,
                        TimestampType.CREATE_TIME,
                        -1,
                        payload.length,
                        delivery.id(),
                        delivery,
                        headers,
                        Optional.empty()),
                null,
                null);
    }

    @Override
    public void close() {
        application.close();
    }

    @ImportAutoConfiguration({
        KafkaAutoConfiguration.class,
        InboxAutoConfiguration.class,
        InboxKafkaAutoConfiguration.class
    })
    @Configuration(proxyBeanMethods = false)
    static class Application {

        private final Payments payments;

        Application(Payments payments) {
            this.payments = payments;
        }

        @KafkaListener(id = "payments", topics = "${topic}", groupId = "billing", autoStartup = "false")
        @IdempotentConsumer
        void on(Delivery delivery) {
            payments.store(delivery);
        }
    }
}
