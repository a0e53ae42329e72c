package io.inboxkit.rabbitmq;

import io.inboxkit.ConsumerSettings;
import io.inboxkit.Inbox;
import io.inboxkit.InboxAttempt;
import io.inboxkit.InboxException;
import io.inboxkit.InboxMessage;
import io.inboxkit.InboxObserver;
import io.inboxkit.InboxObserver.MessageOutcome;
import io.inboxkit.MissingMessageIdException;
import io.inboxkit.Outcome;
import io.inboxkit.RejectedMessageException;
import io.inboxkit.UndecidedMessageException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The path of a message through the inbox: id, transaction and claim, handler, commit, and only then its acknowledgement.
 * Thread-safe.
 */
final class MessageInbox {

    private static final Logger LOG = LoggerFactory.getLogger("io.inboxkit.rabbitmq");

    private final String listener;
    private final Inbox inbox;
    private final ConsumerSettings settings;
    private final ConsumerNames consumers;
    private final MessageIdentity identity;
    private final MessageSettlement settlement;
    private final HeldMessages held;
    private final InboxObserver observer;
    private final boolean logMessageIds;

    /**
     * @param listener the id of the listener
     * @param settlement ends deliveries that the handler has nothing to do with
     * @param held holds deliveries that can neither go on nor be ended
     */
    MessageInbox(
            String listener,
            Inbox inbox,
            ConsumerSettings settings,
            ConsumerNames consumers,
            MessageIdentity identity,
            MessageSettlement settlement,
            HeldMessages held,
            InboxObserver observer,
            boolean logMessageIds) {
        this.listener = listener;
        this.inbox = inbox;
        this.settings = settings;
        this.consumers = consumers;
        this.identity = identity;
        this.settlement = settlement;
        this.held = held;
        this.observer = observer;
        this.logMessageIds = logMessageIds;
    }

    /** The return value of the handler, or {@code null} for a duplicate and for what goes back to the queue. */
    @Nullable
    Object handle(MessageDelivery delivery) {
        String consumer = consumers.of(delivery.queue());
        // Joined, its connection may be broken or its snapshot too old: only a new delivery can decide then.
        boolean joins = TransactionSynchronizationManager.isActualTransactionActive();
        HeldMessages.Hold hold = held.hold(delivery);
        try {
            while (true) {
                InboxException reason;
                try {
                    consumers.register(consumer, inbox, settings);
                    return process(identify(consumer, delivery), delivery);
                } catch (UndecidedMessageException e) {
                    reason = e;
                } catch (RejectedMessageException e) {
                    if (hold.isFirst()) {
                        LOG.warn(
                                "Listener '{}' refuses {} for consumer '{}': {}",
                                listener,
                                delivery.position(),
                                consumer,
                                e.getMessage());
                    }
                    if (settlement.reject(delivery, e)) {
                        return null;
                    }
                    reason = e;
                }
                if (!hold.pause(reason) || joins) {
                    settlement.giveBack(reason);
                    return null;
                }
            }
        } finally {
            hold.end();
        }
    }

    private InboxMessage identify(String consumer, MessageDelivery delivery) {
        try {
            return identity.of(consumer, delivery);
        } catch (RejectedMessageException e) {
            observer.outcome(
                    consumer,
                    e instanceof MissingMessageIdException ? MessageOutcome.MISSING_ID : MessageOutcome.FAILED);
            throw e;
        }
    }

    private @Nullable Object process(InboxMessage message, MessageDelivery delivery) {
        delivery.provide(InboxAttempt.transactional(message, delivery.number()));
        MessageAttempts attempts = new MessageAttempts(delivery);
        Outcome outcome;
        try {
            outcome = inbox.process(message, settings, attempts);
        } catch (RefusalRequest refusal) {
            attempts.rolledBack();
            attempts.refuse();
            return null;
        } catch (Throwable failure) {
            attempts.rolledBack();
            attempts.refuse();
            throw failure;
        }
        if (outcome == Outcome.DUPLICATE) {
            if (LOG.isDebugEnabled()) {
                LOG.debug(
                        "Listener '{}' skips {}: a duplicate, {}",
                        listener,
                        delivery.position(),
                        message.describe(logMessageIds));
            }
            acknowledgeSkipped(delivery);
            return null;
        }
        attempts.returned();
        return delivery.result();
    }

    /** Where the handler would have had to. */
    private void acknowledgeSkipped(MessageDelivery delivery) {
        if (settlement.isManual() && delivery.endsDelivery()) {
            try {
                delivery.channel().basicAck(delivery.tag(), false);
            } catch (IOException | RuntimeException e) {
                LOG.warn(
                        "{} is a duplicate, but the broker could not be told, since the channel is gone. It will be"
                                + " delivered again",
                        delivery.position(),
                        e);
            }
        }
    }
}
