package io.inboxkit.rabbitmq;

import io.inboxkit.ConsumerSettings;
import io.inboxkit.Inbox;
import io.inboxkit.InboxMessage;
import io.inboxkit.InboxObserver;
import io.inboxkit.InboxObserver.MessageOutcome;
import io.inboxkit.MissingMessageIdException;
import io.inboxkit.RejectedMessageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What comes before the transaction of a message: whose it is, and which message it is, or why it is none. Thread-safe.
 *
 * @param listener the id of the listener
 * @param observer hears of messages that are refused before they reach the inbox
 */
record Admission(
        String listener,
        Inbox inbox,
        ConsumerSettings settings,
        ConsumerNames consumers,
        MessageIdentity identity,
        InboxObserver observer) {

    private static final Logger LOG = LoggerFactory.getLogger("io.inboxkit.rabbitmq");

    /**
     * The message that a delivery is.
     *
     * @throws RejectedMessageException if it has no valid id
     * @throws io.inboxkit.UndecidedMessageException if that cannot be told at the moment
     */
    InboxMessage admit(ReceivedMessage delivery) {
        String consumer = consumers.of(delivery.queue());
        consumers.register(consumer, inbox, settings);
        try {
            return identity.of(consumer, delivery);
        } catch (RejectedMessageException e) {
            observer.outcome(
                    consumer,
                    e instanceof MissingMessageIdException ? MessageOutcome.MISSING_ID : MessageOutcome.FAILED);
            throw e;
        }
    }

    void refused(ReceivedMessage delivery, RejectedMessageException reason) {
        LOG.warn(
                "Listener '{}' refuses {} for consumer '{}': {}",
                listener,
                delivery.position(),
                consumers.of(delivery.queue()),
                reason.getMessage());
    }
}
