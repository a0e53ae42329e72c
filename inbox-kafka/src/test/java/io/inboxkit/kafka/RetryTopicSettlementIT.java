package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.inboxkit.FingerprintMode;
import io.inboxkit.HeldDeliveries;
import io.inboxkit.InboxUnavailableException;
import io.inboxkit.MissingMessageIdException;
import io.inboxkit.UndeliverableAction;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.BackOff;
import org.springframework.kafka.annotation.DltHandler;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.EnableKafkaRetryTopic;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.retrytopic.DestinationTopicResolver;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** What the error handling of {@code @RetryableTopic} makes of undecided and of refused deliveries. */
class RetryTopicSettlementIT {

    private static final String TOPIC = TestBroker.newTopic(1);

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    private final HeldDeliveries deliveries = new HeldDeliveries();

    private final Map<String, WireBytes> wireBytes = new ConcurrentHashMap<>();

    private Payments payments = new Payments();

    @BeforeEach
    void start() {
        context.register(Application.class, Payments.class);
        context.refresh();
        payments = context.getBean(Payments.class);
        KafkaListenerEndpointRegistry registry = context.getBean(KafkaListenerEndpointRegistry.class);
        for (MessageListenerContainer each : registry.getListenerContainers()) {
            AbstractMessageListenerContainer<?, ?> container = (AbstractMessageListenerContainer<?, ?>) each;
            WireBytes bytes = WireBytes.install(container);
            assertThat(bytes).isNotNull();
            wireBytes.put(container.getListenerId(), bytes);
            payments.held.add(ErrorHandling.install(
                    container,
                    deliveries,
                    UndeliverableAction.HOLD,
                    context.getBean(ThreadPoolTaskScheduler.class),
                    assigned -> {},
                    FailedDeliveries.NONE));
        }
        registry.getListenerContainers().forEach(MessageListenerContainer::start);
    }

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void refusedRecordGoesToTheDeadLettersAtOnceAndAnUndecidedOneIsHeldOnItsRetryTopic() {
        TestBroker.send(TOPIC, 0, "refused", "fails first, then undecided");
        await().untilAsserted(() -> assertThat(payments.dead).containsExactly("refused"));
        assertThat(payments.seen).filteredOn("refused"::equals).hasSize(1);
        await().untilAsserted(() -> assertThat(deliveries.list())
                .singleElement()
                .satisfies(held -> assertThat(held.position()).startsWith(TOPIC + "-retry")));
        await().untilAsserted(() -> assertThat(payments.seen)
                .filteredOn(value -> value.startsWith("fails"))
                .hasSizeGreaterThan(3));
        assertThat(payments.dead).containsExactly("refused");

        payments.available = true;
        await().untilAsserted(() -> assertThat(payments.handled).hasSize(1));
        await().untilAsserted(() -> assertThat(deliveries.list()).isEmpty());
        ConsumerRecord<?, ?> copy = payments.handled.element();
        assertThat(wireBytes.values().stream()
                        .filter(bytes -> bytes.of(copy, FingerprintMode.BYTES) != null)
                        .toList())
                .hasSize(1);
    }

    static class Payments {

        final Queue<String> seen = new ConcurrentLinkedQueue<>();

        final Queue<ConsumerRecord<String, String>> handled = new ConcurrentLinkedQueue<>();

        final Queue<String> dead = new ConcurrentLinkedQueue<>();

        final Queue<HeldPartitions> held = new ConcurrentLinkedQueue<>();

        volatile boolean available;

        @RetryableTopic(attempts = "3", backOff = @BackOff(delay = 100))
        @KafkaListener(id = "payments", topics = "#{@topic}", autoStartup = "false")
        void on(ConsumerRecord<String, String> payment) {
            seen.add(payment.value());
            if (payment.value().equals("refused")) {
                throw new MissingMessageIdException("No header carries an id");
            }
            if (payment.topic().equals(TOPIC)) {
                throw new IllegalStateException("out of stock");
            }
            if (!available) {
                throw new InboxUnavailableException("No connection", null);
            }
            handled.add(payment);
            held.forEach(partitions -> partitions.wentOn(payment));
        }

        @DltHandler
        void dead(ConsumerRecord<String, String> payment) {
            dead.add(payment.value());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableKafka
    @EnableKafkaRetryTopic
    static class Application {

        @Bean
        static BeanPostProcessor refusedIsNotRetried() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String beanName) {
                    if (bean instanceof DestinationTopicResolver) {
                        ErrorHandling.neverRetryRejected(bean);
                    }
                    return bean;
                }
            };
        }

        @Bean
        String topic() {
            return TOPIC;
        }

        @Bean
        ConcurrentKafkaListenerContainerFactory<String, String> kafkaListenerContainerFactory() {
            var factory = new ConcurrentKafkaListenerContainerFactory<String, String>();
            factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(TestBroker.consumerConfig()));
            return factory;
        }

        @Bean
        KafkaTemplate<String, String> kafkaTemplate() {
            return new KafkaTemplate<>(new DefaultKafkaProducerFactory<>(
                    Map.of("bootstrap.servers", TestBroker.bootstrapServers()),
                    new StringSerializer(),
                    new StringSerializer()));
        }

        @Bean
        KafkaAdmin kafkaAdmin() {
            return new KafkaAdmin(Map.of("bootstrap.servers", TestBroker.bootstrapServers()));
        }

        @Bean
        ThreadPoolTaskScheduler taskScheduler() {
            return new ThreadPoolTaskScheduler();
        }
    }
}
