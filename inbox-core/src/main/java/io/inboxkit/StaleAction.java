package io.inboxkit;

/** What happens to a Kafka record that is older than the memory of its consumer: below the floor, and unknown. */
public enum StaleAction {

    /** It is skipped, counted and logged. */
    SKIP,

    /** It is processed. */
    PROCESS,

    /** It is refused. */
    REJECT
}
