package io.inboxkit.kafka;

/** What a replay does with the records that it reads. */
public enum ReplayMode {

    /** Skips what was processed and processes what was missed, as a delivery of the live consumer would. */
    SKIP_PROCESSED,

    /**
     * Handles every message once more: exactly once within the run, however often that is interrupted. What was never
     * processed is processed for the live consumer, too.
     */
    REPROCESS,

    /** Handles nothing and counts what is processed, open, missing and below the floor. */
    AUDIT
}
