package io.inboxkit;

/** What happens to a message that carries no id. */
public enum MissingIdPolicy {

    /** As {@code inbox.message-id.on-missing} says; only in the annotation. */
    DEFAULT,

    /** The message is refused with {@link MissingMessageIdException}. */
    REJECT,

    /**
     * Kafka: the id is made of topic id, partition and offset; for a copy on a retry topic, of those of the original. It
     * recognises redeliveries, not a producer's duplicates.
     */
    USE_POSITION,

    /** The id is the fingerprint of the payload. Merges two genuine messages that are equal. */
    USE_FINGERPRINT,

    /** The message is processed in a transaction, without protection against duplicates. */
    PROCESS
}
