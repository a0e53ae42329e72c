package io.inboxkit.outbox;

import org.jspecify.annotations.Nullable;

/**
 * What became of a message that was sent.
 *
 * @param kind how it ended
 * @param error what was wrong, never with the payload; {@code null} if it was confirmed
 */
public record PublishResult(Kind kind, @Nullable String error) {

    /** How a message that was sent ended. */
    public enum Kind {
        /** The broker has it, and it went where it should. */
        CONFIRMED,
        /** The message is at fault: another one to the same destination may go through. */
        MESSAGE_FAULT,
        /** The broker answers, but does not take messages for this destination: unknown, unroutable, no rights. */
        DESTINATION_FAULT,
        /** The broker does not answer; the message may have arrived. */
        UNREACHABLE
    }

    /** The broker has it. */
    public static final PublishResult CONFIRMED = new PublishResult(Kind.CONFIRMED, null);

    /** The message is at fault. */
    public static PublishResult messageFault(String error) {
        return new PublishResult(Kind.MESSAGE_FAULT, error);
    }

    /** The destination is at fault. */
    public static PublishResult destinationFault(String error) {
        return new PublishResult(Kind.DESTINATION_FAULT, error);
    }

    /** The broker did not answer. */
    public static PublishResult unreachable(String error) {
        return new PublishResult(Kind.UNREACHABLE, error);
    }
}
