package io.inboxkit.rabbitmq;

import io.inboxkit.InboxAttempt;
import io.inboxkit.InboxException;
import io.inboxkit.InboxMessage;
import io.inboxkit.Outcome;
import io.inboxkit.RejectedMessageException;
import io.inboxkit.UndecidedMessageException;
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

    private final Admission admission;
    private final MessageSettlement settlement;
    private final HeldMessages held;
    private final boolean logMessageIds;

    /**
     * @param settlement ends deliveries that the handler has nothing to do with
     * @param held holds deliveries that can neither go on nor be ended
     */
    MessageInbox(Admission admission, MessageSettlement settlement, HeldMessages held, boolean logMessageIds) {
        this.admission = admission;
        this.settlement = settlement;
        this.held = held;
        this.logMessageIds = logMessageIds;
    }

    /** The return value of the handler, or {@code null} for a duplicate and for what goes back to the queue. */
    @Nullable
    Object handle(MessageDelivery delivery) {
        // Joined, its connection may be broken or its snapshot too old: only a new delivery can decide then.
        boolean joins = TransactionSynchronizationManager.isActualTransactionActive();
        HeldMessages.Hold hold = held.hold(delivery.position());
        try {
            while (true) {
                InboxException reason;
                try {
                    return process(admission.admit(delivery), delivery);
                } catch (UndecidedMessageException e) {
                    reason = e;
                } catch (RejectedMessageException e) {
                    if (hold.isFirst()) {
                        admission.refused(delivery, e);
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

    private @Nullable Object process(InboxMessage message, MessageDelivery delivery) {
        delivery.provide(InboxAttempt.transactional(message, delivery.number()));
        MessageAttempts attempts = new MessageAttempts(delivery);
        Outcome outcome;
        try {
            outcome = admission.inbox().process(message, admission.settings(), attempts);
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
                        admission.listener(),
                        delivery.position(),
                        message.describe(logMessageIds));
            }
            if (settlement.isManual() && delivery.endsDelivery()) {
                DeferredChannel.acknowledgeSkipped(delivery.channel(), delivery);
            }
            return null;
        }
        attempts.returned();
        return delivery.result();
    }
}
