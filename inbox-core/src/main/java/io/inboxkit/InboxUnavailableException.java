package io.inboxkit;

import org.jspecify.annotations.Nullable;

/**
 * The database of the inbox, or the broker about the message's position, could not answer, so it is not known whether the
 * message is new.
 */
public final class InboxUnavailableException extends UndecidedMessageException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message what was attempted, what was found and what to do
     * @param cause what was caught, or {@code null}
     */
    public InboxUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
