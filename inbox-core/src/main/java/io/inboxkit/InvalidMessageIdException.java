package io.inboxkit;

/** The message carries an id that cannot be one: ambiguous, or of a type that is no id. */
public final class InvalidMessageIdException extends RejectedMessageException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message what was attempted, what was found and what to do
     */
    public InvalidMessageIdException(String message) {
        super(message);
    }
}
