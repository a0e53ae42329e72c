package io.inboxkit.outbox;

import org.jspecify.annotations.Nullable;

/** The message is such that its broker could never carry it. */
public final class InvalidOutboxMessageException extends OutboxException {

    private static final long serialVersionUID = 1L;

    /**
     * @param problem what is wrong with the message
     * @param remedy what to do
     */
    public InvalidOutboxMessageException(String problem, String remedy) {
        this(problem, remedy, null);
    }

    /**
     * @param problem what is wrong with the message
     * @param remedy what to do
     * @param cause what was thrown, if anything was
     */
    public InvalidOutboxMessageException(String problem, String remedy, @Nullable Throwable cause) {
        super(problem + ". " + remedy + ".", cause);
    }
}
