package io.inboxkit;

import org.jspecify.annotations.Nullable;

/** The inbox could not, or would not, let a message through. */
public abstract class InboxException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InboxException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
