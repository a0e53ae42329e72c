package io.inboxkit;

/** Where the effects of a handler are. */
public enum ProcessingMode {

    /** In the inbox's own database: id and effects are committed in one transaction. */
    TRANSACTIONAL,

    /** Outside the database: the id is claimed by a lease, and the handler gets a key to pass on. */
    LEASED
}
