package io.inboxkit.kafka;

/** Where a replay is in its life. */
public enum ReplayState {

    /** An instance works on it, or takes it over from one that has died. */
    RUNNING,

    /** Stopped by an operator or by a record that failed; can be resumed. */
    STOPPED,

    /** Cannot go on, for the reason that it tells; can be resumed when that is mended. */
    FAILED,

    /** Every record of its range is settled. */
    COMPLETED
}
