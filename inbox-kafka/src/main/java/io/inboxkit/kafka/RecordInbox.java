package io.inboxkit.kafka;

import io.inboxkit.ConsumerSettings;
import io.inboxkit.HeldDeliveries;
import io.inboxkit.Inbox;
import io.inboxkit.InboxAttempt;
import io.inboxkit.InboxMessage;
import io.inboxkit.InboxObserver;
import io.inboxkit.InboxObserver.MessageOutcome;
import io.inboxkit.MissingMessageIdException;
import io.inboxkit.Outcome;
import io.inboxkit.RejectedMessageException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.log.LogAccessor;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.kafka.support.KafkaUtils;
import org.springframework.kafka.support.serializer.DeserializationException;
import org.springframework.kafka.support.serializer.SerializationUtils;

/**
 * The path of a record through the inbox: id, transaction and claim, handler, commit, and only then its acknowledgement.
 * Thread-safe.
 */
final class RecordInbox implements DeliveryHandling {

    private static final Logger LOG = LoggerFactory.getLogger("io.inboxkit.kafka");
    private static final LogAccessor ACCESSOR = new LogAccessor("io.inboxkit.kafka");

    private final String listener;
    private final Inbox inbox;
    private final ConsumerSettings settings;
    private final ConsumerNames consumers;
    private final MessageIdentity identity;
    private final HeldPartitions held;
    private final HeldDeliveries deliveries;
    private final InboxObserver observer;
    private final @Nullable AttemptNumber attemptNumber;
    private final FailedDeliveries failed;

    /**
     * @param listener the id of the listener
     * @param held hears which records went on
     * @param attemptNumber counts the deliveries for a handler that takes its attempt; {@code null} for one that does not
     * @param failed hears of failures, also of those that an error handler of the listener swallows
     */
    RecordInbox(
            String listener,
            Inbox inbox,
            ConsumerSettings settings,
            ConsumerNames consumers,
            MessageIdentity identity,
            HeldPartitions held,
            HeldDeliveries deliveries,
            InboxObserver observer,
            @Nullable AttemptNumber attemptNumber,
            FailedDeliveries failed) {
        this.listener = listener;
        this.inbox = inbox;
        this.settings = settings;
        this.consumers = consumers;
        this.identity = identity;
        this.held = held;
        this.deliveries = deliveries;
        this.observer = observer;
        this.attemptNumber = attemptNumber;
        this.failed = failed;
    }

    @Override
    public @Nullable Object handle(RecordDelivery delivery) {
        ConsumerRecord<?, ?> kafkaRecord = delivery.kafkaRecord();
        refuseUnread(kafkaRecord);
        String consumer = consumers.of(kafkaRecord);
        Object result;
        try {
            consumers.register(consumer, inbox, settings);
            result = process(identify(consumer, delivery), delivery);
        } catch (RejectedMessageException e) {
            refused(consumer, delivery, e);
            failed.failed(kafkaRecord, e);
            throw e;
        }
        held.wentOn(kafkaRecord);
        return result;
    }

    private InboxMessage identify(String consumer, RecordDelivery delivery) {
        try {
            return identity.of(consumer, delivery);
        } catch (RejectedMessageException e) {
            observer.outcome(
                    consumer,
                    e instanceof MissingMessageIdException ? MessageOutcome.MISSING_ID : MessageOutcome.FAILED);
            throw e;
        }
    }

    private @Nullable Object process(InboxMessage message, RecordDelivery delivery) {
        if (attemptNumber != null) {
            delivery.provide(InboxAttempt.transactional(message, attemptNumber.of(delivery.kafkaRecord())));
        }
        RecordAttempts attempts = new RecordAttempts(delivery);
        Outcome outcome;
        try {
            outcome = inbox.process(message, settings, attempts);
        } catch (NackRequest nack) {
            attempts.rolledBack();
            nack.acknowledgment().nack(nack.sleep());
            return null;
        } catch (Throwable failure) {
            attempts.rolledBack();
            failed.failed(delivery.kafkaRecord(), failure);
            throw failure;
        }
        if (outcome == Outcome.DUPLICATE) {
            Acknowledgment acknowledgment = delivery.acknowledgment();
            if (acknowledgment != null) {
                acknowledgment.acknowledge();
            }
            failed.wentOn(delivery.kafkaRecord());
            return null;
        }
        attempts.returned();
        failed.wentOn(delivery.kafkaRecord());
        return delivery.result();
    }

    /** Once for a delivery that is held: it comes again and again. */
    private void refused(String consumer, RecordDelivery delivery, RejectedMessageException reason) {
        boolean known = deliveries.list().stream()
                .anyMatch(held ->
                        held.listener().equals(listener) && held.position().equals(delivery.position()));
        if (!known) {
            LOG.warn(
                    "Listener '{}' refuses {} for consumer '{}': {}",
                    listener,
                    delivery.position(),
                    consumer,
                    reason.getMessage());
        }
    }

    /** The container does so itself, but only where it recognises the deserialiser. */
    private static void refuseUnread(ConsumerRecord<?, ?> kafkaRecord) {
        DeserializationException failure = null;
        if (kafkaRecord.value() == null) {
            failure = SerializationUtils.getExceptionFromHeader(
                    kafkaRecord, KafkaUtils.VALUE_DESERIALIZER_EXCEPTION_HEADER, ACCESSOR);
        }
        if (failure == null && kafkaRecord.key() == null) {
            failure = SerializationUtils.getExceptionFromHeader(
                    kafkaRecord, KafkaUtils.KEY_DESERIALIZER_EXCEPTION_HEADER, ACCESSOR);
        }
        if (failure != null) {
            throw failure;
        }
    }
}
