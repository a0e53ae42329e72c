package io.inboxkit;

/** What became of a message that was given to an {@link Inbox}. */
public enum Outcome {

    /** The work ran, and its effects are committed together with the id. */
    PROCESSED,

    /** The id was known: the work did not run. */
    DUPLICATE
}
