package io.inboxkit;

import org.jspecify.annotations.Nullable;

/**
 * Before the handler ran it could not be decided whether the message is new. Nothing is wrong with the message, and it is
 * not lost: it must be delivered again, without counting as a failed attempt. Listener containers do so by themselves; a
 * caller of {@link Inbox#process} tries again later.
 */
public abstract class UndecidedMessageException extends InboxException {

    private static final long serialVersionUID = 1L;

    UndecidedMessageException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
