package io.inboxkit;

/** What the inbox remembers of a message. */
public enum Tracking {

    /** The id of each message. */
    MESSAGE_ID,

    /** Kafka: only the next offset of each partition. */
    POSITION
}
