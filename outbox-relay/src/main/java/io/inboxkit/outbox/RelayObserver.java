package io.inboxkit.outbox;

import java.time.Duration;

/** Hears what a relay does. Thread-safe, and quick: it is called by the threads that publish. */
public interface RelayObserver {

    /** Hears nothing. */
    RelayObserver NONE = new RelayObserver() {};

    /**
     * A message was confirmed by its broker.
     *
     * @param destination where it went
     * @param latency the time since it was written
     */
    default void published(Destination destination, Duration latency) {}

    /** An attempt to send a message ended otherwise. */
    default void failed(Destination destination) {}

    /** A message was parked. */
    default void parked(Destination destination) {}
}
