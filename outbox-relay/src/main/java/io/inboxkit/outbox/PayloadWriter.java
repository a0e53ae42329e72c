package io.inboxkit.outbox;

/** Turns objects into the bytes that are sent. Thread-safe. */
@FunctionalInterface
public interface PayloadWriter {

    /**
     * The JSON of an object that is neither bytes nor text.
     *
     * @throws InvalidOutboxMessageException if it has none
     */
    byte[] json(Object payload);
}
