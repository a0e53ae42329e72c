package io.inboxkit.kafka;

/** What a replay does behind a record that failed for good, after the error handling of the listener. */
public enum ReplayFailurePolicy {

    /** Lists the record and goes on. */
    CONTINUE,

    /** Lists the record and stops behind it; the run can be resumed. */
    STOP
}
