package io.inboxkit.kafka;

import io.inboxkit.InboxException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.springframework.core.log.LogAccessor;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.listener.SeekUtils;
import org.springframework.kafka.support.TopicPartitionOffset;

/**
 * Holds deliveries that are undecided, or refused with nowhere to go; every other failure is the business of the
 * container's own error handler. A held delivery counts as no attempt there and is never recovered.
 */
final class HoldingErrorHandler implements CommonErrorHandler {

    private final LogAccessor logger = new LogAccessor(HoldingErrorHandler.class);

    private final CommonErrorHandler delegate;

    private final HeldPartitions held;

    private final boolean batchListener;

    private final boolean afterRollback;

    private final java.util.function.Consumer<Collection<TopicPartition>> assigned;

    private final FailedDeliveries failed;

    /**
     * @param delegate the error handler that the container would have without us
     * @param batchListener whether the listener takes whole batches
     * @param afterRollback whether a rollback of the container's own transaction follows and holds the delivery
     * @param assigned hears of each assignment
     * @param failed hears of what goes to the delegate
     */
    HoldingErrorHandler(
            CommonErrorHandler delegate,
            HeldPartitions held,
            boolean batchListener,
            boolean afterRollback,
            java.util.function.Consumer<Collection<TopicPartition>> assigned,
            FailedDeliveries failed) {
        this.failed = failed;
        this.delegate = delegate;
        this.held = held;
        this.batchListener = batchListener;
        this.afterRollback = afterRollback;
        this.assigned = assigned;
    }

    /**
     * For record listeners always true: otherwise the container keeps the rest of the poll in memory and pauses all of
     * the consumer's partitions, not only the held one.
     */
    @Override
    public boolean seeksAfterHandling() {
        return !batchListener || delegate.seeksAfterHandling();
    }

    @Override
    public void handleRemaining(
            Exception thrownException,
            List<ConsumerRecord<?, ?>> records,
            Consumer<?, ?> consumer,
            MessageListenerContainer container) {
        InboxException reason = held.reasonToHold(thrownException);
        if (reason != null && !records.isEmpty()) {
            throw hold(reason, thrownException, records, consumer, container);
        }
        if (!records.isEmpty()) {
            held.wentOn(records.get(0));
            failed.failed(records.get(0), thrownException);
        }
        if (delegate.seeksAfterHandling() || thrownException instanceof CommitFailedException || records.isEmpty()) {
            delegate.handleRemaining(thrownException, records, consumer, container);
        } else {
            handleFirstAndSeek(thrownException, records, consumer, container);
        }
    }

    /** What the container does for a handler that does not seek, with seeks in place of records kept in memory. */
    private void handleFirstAndSeek(
            Exception thrownException,
            List<ConsumerRecord<?, ?>> records,
            Consumer<?, ?> consumer,
            MessageListenerContainer container) {
        boolean handled = false;
        try {
            handled = delegate.handleOne(thrownException, records.get(0), consumer, container);
        } catch (RuntimeException e) {
            logger.error(e, "ErrorHandler threw unexpected exception");
        }
        SeekUtils.doSeeksToBegin(handled ? records.subList(1, records.size()) : records, consumer, logger);
        if (!handled) {
            throw notDone("The record is to be delivered again", thrownException);
        }
    }

    @Override
    public boolean handleOne(
            Exception thrownException,
            ConsumerRecord<?, ?> record,
            Consumer<?, ?> consumer,
            MessageListenerContainer container) {
        InboxException reason = held.reasonToHold(thrownException);
        if (reason != null) {
            held.hold(List.of(record), consumer, container, reason);
            return false;
        }
        held.wentOn(record);
        failed.failed(record, thrownException);
        return delegate.handleOne(thrownException, record, consumer, container);
    }

    @Override
    public void handleBatch(
            Exception thrownException,
            ConsumerRecords<?, ?> data,
            Consumer<?, ?> consumer,
            MessageListenerContainer container,
            Runnable invokeListener) {
        holdBatch(thrownException, data, consumer, container);
        delegate.handleBatch(thrownException, data, consumer, container, invokeListener);
    }

    @Override
    public <K, V> ConsumerRecords<K, V> handleBatchAndReturnRemaining(
            Exception thrownException,
            ConsumerRecords<?, ?> data,
            Consumer<?, ?> consumer,
            MessageListenerContainer container,
            Runnable invokeListener) {
        holdBatch(thrownException, data, consumer, container);
        return delegate.handleBatchAndReturnRemaining(thrownException, data, consumer, container, invokeListener);
    }

    private void holdBatch(
            Exception thrownException,
            ConsumerRecords<?, ?> data,
            Consumer<?, ?> consumer,
            MessageListenerContainer container) {
        InboxException reason = held.reasonToHold(thrownException);
        if (reason != null && !data.isEmpty()) {
            throw hold(reason, thrownException, fromFailedOn(data, thrownException), consumer, container);
        }
        failedOf(data, thrownException).forEach(one -> failed.failed(one, thrownException));
    }

    /** The record that the exception names, or all. */
    private static List<ConsumerRecord<?, ?>> failedOf(ConsumerRecords<?, ?> data, Exception thrownException) {
        List<ConsumerRecord<?, ?>> fromFailedOn = fromFailedOn(data, thrownException);
        boolean named = thrownException instanceof BatchListenerFailedException
                || thrownException.getCause() instanceof BatchListenerFailedException;
        return named && !fromFailedOn.isEmpty() ? fromFailedOn.subList(0, 1) : fromFailedOn;
    }

    /** The records from the failed one on, or all if the exception names none. */
    private static List<ConsumerRecord<?, ?>> fromFailedOn(ConsumerRecords<?, ?> data, Exception thrownException) {
        List<ConsumerRecord<?, ?>> all = new ArrayList<>(data.count());
        data.forEach(all::add);
        for (Throwable cause = thrownException; cause != null; cause = cause.getCause()) {
            if (cause instanceof BatchListenerFailedException failure) {
                int index = failure.getRecord() != null ? all.indexOf(failure.getRecord()) : failure.getIndex();
                return index > 0 && index < all.size() ? all.subList(index, all.size()) : all;
            }
        }
        return all;
    }

    private KafkaException hold(
            InboxException reason,
            Exception thrownException,
            List<ConsumerRecord<?, ?>> records,
            Consumer<?, ?> consumer,
            MessageListenerContainer container) {
        if (!afterRollback) {
            held.hold(records, consumer, container, reason);
        }
        return notDone("The delivery is held", thrownException);
    }

    /** Without an exception the container would commit the record; at this level it does not log it. */
    private static KafkaException notDone(String message, Exception cause) {
        return new KafkaException(message, KafkaException.Level.TRACE, cause);
    }

    @Override
    public void handleOtherException(
            Exception thrownException,
            Consumer<?, ?> consumer,
            MessageListenerContainer container,
            boolean batchListener) {
        delegate.handleOtherException(thrownException, consumer, container, batchListener);
    }

    @Override
    public boolean deliveryAttemptHeader() {
        return delegate.deliveryAttemptHeader();
    }

    @Override
    public int deliveryAttempt(TopicPartitionOffset topicPartitionOffset) {
        return delegate.deliveryAttempt(topicPartitionOffset);
    }

    @Override
    public LogAccessor logger() {
        return delegate.logger();
    }

    @Override
    public void clearThreadState() {
        delegate.clearThreadState();
    }

    @Override
    public boolean isAckAfterHandle() {
        return delegate.isAckAfterHandle();
    }

    @Override
    public void setAckAfterHandle(boolean ack) {
        delegate.setAckAfterHandle(ack);
    }

    @Override
    public void onPartitionsAssigned(
            Consumer<?, ?> consumer, Collection<TopicPartition> partitions, Runnable publishPause) {
        held.assigned(partitions);
        assigned.accept(partitions);
        delegate.onPartitionsAssigned(consumer, partitions, publishPause);
    }
}
