package io.inboxkit;

import org.jspecify.annotations.Nullable;

/** Another transaction or lease holds the id of the message, and did not end within {@code inbox.claim.timeout}. */
public final class MessageInProgressException extends UndecidedMessageException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message what was attempted, what was found and what to do
     * @param cause what was caught, or {@code null}
     */
    public MessageInProgressException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
