package io.inboxkit;

/** The state of a message that the inbox knows. */
public enum EntryState {

    /** Its effects are committed. */
    PROCESSED,

    /** An attempt holds its lease. */
    IN_PROGRESS,

    /** An attempt failed and gave its lease back. */
    RELEASED,

    /** It was delivered, and failed or was refused; it is not claimed. */
    OPEN,

    /** Its attempts ended their process too often; it waits for an operator. */
    PARKED
}
