package io.inboxkit;

/** What happens when the handler of a batch fails without naming the record that failed. */
public enum BatchFailurePolicy {

    /** The batch is handled again record by record, up to the first one that fails. */
    ISOLATE,

    /** The failure goes on for the whole batch. */
    FAIL_BATCH
}
