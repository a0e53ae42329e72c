package io.inboxkit;

/** The id is known, but the message that had it first had another payload. */
public final class ReusedMessageIdException extends RejectedMessageException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message what was attempted, what was found and what to do
     */
    public ReusedMessageIdException(String message) {
        super(message);
    }
}
