package io.inboxkit;

/** The message is not known, but older than the memory of its consumer, so that nobody can tell whether it was processed. */
public final class StaleMessageException extends RejectedMessageException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message what was attempted, what was found and what to do
     */
    public StaleMessageException(String message) {
        super(message);
    }
}
