package io.inboxkit.kafka;

import io.inboxkit.HeldDeliveries;
import io.inboxkit.UndeliverableAction;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.AcknowledgingConsumerAwareMessageListener;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** A listener on a real container whose verdict on each record the test decides. */
final class TestListener implements AutoCloseable {

    final HeldDeliveries deliveries = new HeldDeliveries();

    final Queue<String> handled = new ConcurrentLinkedQueue<>();

    final Queue<TopicPartition> assigned = new ConcurrentLinkedQueue<>();

    final AtomicInteger attempts = new AtomicInteger();

    volatile Function<ConsumerRecord<String, String>, @Nullable RuntimeException> verdict = delivered -> null;

    UndeliverableAction withoutDeadLetter = UndeliverableAction.HOLD;

    private final ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();

    final ConcurrentMessageListenerContainer<String, String> container;

    private final String group;

    private @Nullable HeldPartitions held;

    TestListener(String topic, String group) {
        this.group = group;
        ContainerProperties properties = new ContainerProperties(topic);
        properties.setGroupId(group);
        properties.setMessageListener((AcknowledgingConsumerAwareMessageListener<String, String>) this::onMessage);
        container = new ConcurrentMessageListenerContainer<>(
                new DefaultKafkaConsumerFactory<>(TestBroker.consumerConfig()), properties);
        container.setBeanName("listener-" + group);
    }

    TestListener with(Consumer<ConcurrentMessageListenerContainer<String, String>> settings) {
        settings.accept(container);
        return this;
    }

    TestListener start() {
        scheduler.initialize();
        held = ErrorHandling.install(
                container, deliveries, withoutDeadLetter, scheduler, assigned::addAll, FailedDeliveries.NONE);
        container.start();
        return this;
    }

    private void onMessage(
            ConsumerRecord<String, String> delivered,
            @Nullable Acknowledgment acknowledgment,
            org.apache.kafka.clients.consumer.@Nullable Consumer<?, ?> consumer) {
        attempts.incrementAndGet();
        RuntimeException failure = verdict.apply(delivered);
        if (failure != null) {
            throw failure;
        }
        handled.add(delivered.value());
        if (acknowledgment != null) {
            acknowledgment.acknowledge();
        }
        if (held != null) {
            held.wentOn(delivered);
        }
    }

    List<String> heldPositions() {
        return deliveries.list().stream()
                .map(HeldDeliveries.HeldDelivery::position)
                .toList();
    }

    long committed(String topic, int partition) {
        return TestBroker.committed(group, topic, partition);
    }

    @Override
    public void close() {
        container.stop();
        scheduler.destroy();
    }
}
