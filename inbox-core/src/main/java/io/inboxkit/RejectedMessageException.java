package io.inboxkit;

/**
 * The message itself is at fault and was not handed to the handler. To try it again cannot help: it belongs into the
 * dead letters, where a human finds it.
 */
public abstract class RejectedMessageException extends InboxException {

    private static final long serialVersionUID = 1L;

    RejectedMessageException(String message) {
        super(message, null);
    }
}
