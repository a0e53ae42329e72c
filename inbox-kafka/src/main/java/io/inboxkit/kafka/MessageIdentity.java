package io.inboxkit.kafka;

import io.inboxkit.InboxMessage;

/** What makes a record a certain message. Thread-safe. */
interface MessageIdentity {

    /**
     * The message that a record is.
     *
     * @throws io.inboxkit.RejectedMessageException if the record tells no valid one
     * @throws io.inboxkit.UndecidedMessageException if that cannot be told at the moment
     */
    InboxMessage of(String consumer, RecordDelivery delivery);
}
