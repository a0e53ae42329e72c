package io.inboxkit;

/** What happens to a message with a known id but another payload than the first one had. */
public enum ReusedIdPolicy {

    /** As {@code inbox.fingerprint.on-reused} says; only in the annotation. */
    DEFAULT,

    /** The message is refused with {@link ReusedMessageIdException}. */
    REJECT,

    /** The message is taken for a duplicate and skipped. */
    SKIP
}
