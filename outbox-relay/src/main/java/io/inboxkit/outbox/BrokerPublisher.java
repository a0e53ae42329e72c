package io.inboxkit.outbox;

import java.util.function.Consumer;

/** Publishes to the brokers of one scheme. Thread-safe. */
public interface BrokerPublisher extends AutoCloseable {

    /** The scheme of the destinations, such as {@link Destination#KAFKA}. */
    String scheme();

    /**
     * Sends a message without waiting for the broker. The result is given exactly once, by any thread, at the latest when the
     * send timeout has passed: whoever does not hear from the broker by then says {@link PublishResult.Kind#UNREACHABLE},
     * although the message may have arrived.
     */
    void send(StoredMessage message, Consumer<PublishResult> result);

    /** Ends all connections; messages that are under way get their result, whatever it is. */
    @Override
    void close();
}
