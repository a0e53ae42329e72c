package io.inboxkit.outbox.jdbc;

/** The channel of the wake-up signals; one for all outboxes of a database, since a needless signal costs one look. */
final class WakeUpChannel {

    static final String NAME = "outbox_message";

    private WakeUpChannel() {}
}
