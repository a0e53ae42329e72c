package io.inboxkit.rabbitmq;

import com.rabbitmq.client.Channel;
import io.inboxkit.BatchFailurePolicy;
import io.inboxkit.InboxException;
import io.inboxkit.InboxMessage;
import io.inboxkit.MessageInProgressException;
import io.inboxkit.RejectedMessageException;
import io.inboxkit.UndecidedMessageException;
import io.inboxkit.rabbitmq.BatchVerdicts.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.support.converter.MessageConversionException;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The path of a consumer's batch through the inbox: ids, one transaction and one claim, handler, commit, and only then
 * acknowledgements. Where the handler fails, the messages are handled one by one. Thread-safe.
 */
final class BatchInbox {

    private final Admission admission;
    private final BatchFailurePolicy onFailure;
    private final MessageSettlement settlement;
    private final HeldMessages held;
    private final AbstractMessageListenerContainer container;

    BatchInbox(
            Admission admission,
            BatchFailurePolicy onFailure,
            MessageSettlement settlement,
            HeldMessages held,
            AbstractMessageListenerContainer container) {
        this.admission = admission;
        this.onFailure = onFailure;
        this.settlement = settlement;
        this.held = held;
        this.container = container;
    }

    /** The inner layer: the attempt that is on its way on this thread knows what to do. */
    static @Nullable Object invoke(
            InvocableHandlerMethod handler,
            org.springframework.messaging.Message<?> message,
            @Nullable Object... provided)
            throws Exception {
        BatchAttempt attempt = BatchAttempt.CURRENT.get();
        if (attempt == null) {
            throw new IllegalStateException("The handler " + handler.getShortLogMessage()
                    + " was called outside of a delivery of its listener, so nothing is claimed for it");
        }
        return attempt.invoke(handler, message, provided);
    }

    /** The outer layer. */
    void deliver(List<Message> messages, Channel channel, InboxBatchAdapter adapter) {
        BatchVerdicts verdicts = new BatchVerdicts(container, settlement, channel);
        Delivery delivery = new Delivery(verdicts, channel, adapter);
        List<Item> waiting = new ArrayList<>();
        for (Message message : messages) {
            ReceivedMessage received;
            try {
                received = new ReceivedMessage.OfBatch(message, adapter.payloadOf(message));
            } catch (MessageConversionException e) {
                verdicts.add(
                        new ReceivedMessage.OfBatch(message, message.getBody()),
                        Kind.REFUSED,
                        new AmqpRejectAndDontRequeueException("The message could not be converted", e));
                continue;
            }
            InboxMessage admitted = delivery.admit(received, waiting);
            if (admitted != null) {
                waiting.add(new Item(received, admitted));
            }
        }
        delivery.process(waiting);
        verdicts.settle();
    }

    /** A message of the batch that has an id, or needs none. */
    record Item(ReceivedMessage received, InboxMessage message) {}

    /** One batch on its way. Confined to the consumer's thread. */
    private final class Delivery {

        private final BatchVerdicts verdicts;
        private final Channel channel;
        private final InboxBatchAdapter adapter;
        // An outer transaction is one for all: no part of the batch can be committed or tried again.
        private final boolean joins = TransactionSynchronizationManager.isActualTransactionActive();
        private @Nullable Exception over;

        Delivery(BatchVerdicts verdicts, Channel channel, InboxBatchAdapter adapter) {
            this.verdicts = verdicts;
            this.channel = channel;
            this.adapter = adapter;
        }

        /** @param before what must be handled before a message is held */
        @Nullable
        InboxMessage admit(ReceivedMessage received, List<Item> before) {
            HeldMessages.Hold hold = held.hold(received.position());
            try {
                while (over == null) {
                    InboxException reason;
                    try {
                        return admission.admit(received);
                    } catch (RejectedMessageException e) {
                        if (refuse(received, e, hold)) {
                            return null;
                        }
                        reason = e;
                    } catch (UndecidedMessageException e) {
                        reason = e;
                    }
                    process(before);
                    before.clear();
                    pause(hold, reason);
                }
                verdicts.add(received, Kind.RETURNED, over);
                return null;
            } finally {
                hold.end();
            }
        }

        private boolean refuse(ReceivedMessage received, RejectedMessageException reason, HeldMessages.Hold hold) {
            if (hold.isFirst()) {
                admission.refused(received, reason);
            }
            if (!settlement.mayReject(received)) {
                return false;
            }
            verdicts.add(received, Kind.REFUSED, reason);
            return true;
        }

        private void pause(HeldMessages.Hold hold, InboxException reason) {
            if (over == null && (!hold.pause(reason) || joins)) {
                over = reason;
            }
        }

        /** Handles messages in their order, together if that can be. */
        void process(List<Item> given) {
            List<Item> items = new ArrayList<>(given);
            while (!items.isEmpty()) {
                Exception end = over;
                if (end != null) {
                    items.forEach(item -> verdicts.add(item.received, Kind.RETURNED, end));
                    return;
                }
                BatchAttempt attempt = new BatchAttempt(items, channel, adapter, settlement);
                HeldMessages.Hold hold = held.hold(items.get(0).received.position());
                try {
                    run(attempt, items, hold);
                } finally {
                    hold.end();
                }
            }
        }

        /** One attempt and its consequences; what is done with is removed from the list. */
        private void run(BatchAttempt attempt, List<Item> items, HeldMessages.Hold hold) {
            try {
                attempt.run(admission);
            } catch (UndecidedMessageException e) {
                if (e instanceof MessageInProgressException && items.size() > 1 && !joins) {
                    oneByOne(items);
                } else {
                    pause(hold, e);
                }
                return;
            }
            if (attempt.refused() != null) {
                Item refused = items.get(attempt.refused().index());
                refuseClaimed(refused, attempt.refused().reason(), items, hold);
            } else if (!attempt.returnedTags().isEmpty()) {
                items.removeIf(item -> attempt.returnedTags().contains(item.received.tag()));
            } else if (attempt.failure() != null) {
                failed(attempt, attempt.failure(), items);
            } else {
                items.forEach(item -> verdicts.add(item.received, Kind.HANDLED, null));
                items.clear();
            }
        }

        private void refuseClaimed(
                Item refused, RejectedMessageException reason, List<Item> items, HeldMessages.Hold hold) {
            admission.inbox().leaveOpen(List.of(refused.message), reason);
            if (refuse(refused.received, reason, hold)) {
                items.remove(refused);
            } else if (items.indexOf(refused) > 0) {
                oneByOne(items);
            } else {
                pause(hold, reason);
            }
        }

        private void failed(BatchAttempt attempt, Exception failure, List<Item> items) {
            boolean alone = attempt.handed().size() == 1;
            if (!alone && !joins && onFailure == BatchFailurePolicy.ISOLATE) {
                oneByOne(items);
                return;
            }
            admission
                    .inbox()
                    .leaveOpen(attempt.handed().stream().map(Item::message).toList(), failure);
            List<Item> failing = alone && !joins ? attempt.handed() : List.copyOf(items);
            items.forEach(
                    item -> verdicts.add(item.received, failing.contains(item) ? Kind.FAILED : Kind.HANDLED, failure));
            items.clear();
        }

        private void oneByOne(List<Item> items) {
            List<Item> all = List.copyOf(items);
            items.clear();
            all.forEach(item -> process(List.of(item)));
        }
    }
}
