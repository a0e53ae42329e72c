package io.inboxkit;

/** What the inbox remembers of a message. */
public enum Tracking {

    /** The id of each message. */
    MESSAGE_ID,

    /**
     * Kafka: only the next offset of each partition, so that redeliveries and rewinds are skipped, in constant space. What a
     * producer has sent twice is processed twice, and a record that was left out is skipped when it is read again.
     */
    POSITION
}
