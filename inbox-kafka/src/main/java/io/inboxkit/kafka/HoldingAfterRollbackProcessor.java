package io.inboxkit.kafka;

import io.inboxkit.InboxException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.springframework.kafka.listener.AfterRollbackProcessor;
import org.springframework.kafka.listener.ContainerProperties.EOSMode;
import org.springframework.kafka.listener.DeliveryAttemptAware;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.support.TopicPartitionOffset;

/** The twin of {@link HoldingErrorHandler} for containers that run each delivery in a Kafka transaction. */
final class HoldingAfterRollbackProcessor<K, V> implements AfterRollbackProcessor<K, V>, DeliveryAttemptAware {

    private final AfterRollbackProcessor<K, V> delegate;

    private final HeldPartitions held;

    private final FailedDeliveries failed;

    HoldingAfterRollbackProcessor(AfterRollbackProcessor<K, V> delegate, HeldPartitions held, FailedDeliveries failed) {
        this.delegate = delegate;
        this.held = held;
        this.failed = failed;
    }

    @Override
    public void process(
            List<ConsumerRecord<K, V>> records,
            Consumer<K, V> consumer,
            MessageListenerContainer container,
            Exception exception,
            boolean recoverable,
            EOSMode eosMode) {
        if (!hold(records, consumer, container, exception)) {
            delegate.process(records, consumer, container, exception, recoverable, eosMode);
        }
    }

    @Override
    public void processBatch(
            ConsumerRecords<K, V> records,
            List<ConsumerRecord<K, V>> recordList,
            Consumer<K, V> consumer,
            MessageListenerContainer container,
            Exception exception,
            boolean recoverable,
            EOSMode eosMode) {
        if (!hold(recordList, consumer, container, exception)) {
            delegate.processBatch(records, recordList, consumer, container, exception, recoverable, eosMode);
        }
    }

    private boolean hold(
            List<ConsumerRecord<K, V>> records,
            Consumer<K, V> consumer,
            MessageListenerContainer container,
            Exception exception) {
        InboxException reason = held.reasonToHold(exception);
        if (records.isEmpty()) {
            return false;
        }
        if (reason == null) {
            held.wentOn(records.get(0));
            failed.failed(records.get(0), exception);
            return false;
        }
        held.hold(new ArrayList<>(records), consumer, container, reason);
        return true;
    }

    @Override
    public void clearThreadState() {
        delegate.clearThreadState();
    }

    @Override
    public boolean isProcessInTransaction() {
        return delegate.isProcessInTransaction();
    }

    @Override
    public int deliveryAttempt(TopicPartitionOffset topicPartitionOffset) {
        // Zero is "unknown"; the container asks only processors that are aware of attempts.
        return delegate instanceof DeliveryAttemptAware aware ? aware.deliveryAttempt(topicPartitionOffset) : 0;
    }
}
