package io.inboxkit;

/** What happens to a refused message that has nowhere to go: no error handler and no dead-letter destination. */
public enum UndeliverableAction {

    /** The delivery is held and tried again; health is DOWN until it can go on. */
    HOLD,

    /** The delivery takes the container's default way, which logs it and goes on. */
    DROP
}
