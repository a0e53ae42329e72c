package io.inboxkit.outbox;

/** Who hears that messages were committed. Thread-safe. */
@FunctionalInterface
public interface WakeUp {

    /**
     * Called by the thread of the business transaction, after its commit: returns at once and throws nothing. That it is
     * called is a hint which may get lost; relays look for themselves as well.
     */
    void messagesCommitted();
}
