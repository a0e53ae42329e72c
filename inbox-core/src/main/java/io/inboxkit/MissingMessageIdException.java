package io.inboxkit;

/** The message carries no id, and the consumer refuses such messages. */
public final class MissingMessageIdException extends RejectedMessageException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message what was attempted, what was found and what to do
     */
    public MissingMessageIdException(String message) {
        super(message);
    }
}
