package io.inboxkit.outbox;

import org.jspecify.annotations.Nullable;

/** A message could not be left in the outbox. */
public abstract class OutboxException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    OutboxException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
