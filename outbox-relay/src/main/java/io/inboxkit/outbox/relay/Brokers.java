package io.inboxkit.outbox.relay;

import io.inboxkit.outbox.BrokerPublisher;
import io.inboxkit.outbox.Destination;
import io.inboxkit.outbox.PublishResult;
import io.inboxkit.outbox.RelayObserver;
import io.inboxkit.outbox.RelayState.Trouble;
import io.inboxkit.outbox.StoredMessage;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The brokers that the relay reaches, who hears of it, and which destinations do not work. Thread-safe. */
final class Brokers {

    private final Map<String, BrokerPublisher> publishers = new HashMap<>();
    private final RelayObserver observer;
    private final Map<Destination, Trouble> troubles = new ConcurrentHashMap<>();

    Brokers(List<BrokerPublisher> publishers, RelayObserver observer) {
        publishers.forEach(publisher -> this.publishers.put(publisher.scheme(), publisher));
        this.observer = observer;
    }

    BrokerPublisher publisher(String scheme) {
        return publishers.getOrDefault(scheme, new Missing(scheme));
    }

    RelayObserver observer() {
        return observer;
    }

    void inTrouble(Destination destination, String error) {
        troubles.compute(
                destination, (key, known) -> new Trouble(known == null ? Instant.now() : known.since(), error));
    }

    void outOfTrouble(Destination destination) {
        // Nearly always empty, and asked for each message.
        if (!troubles.isEmpty()) {
            troubles.remove(destination);
        }
    }

    Map<Destination, Trouble> troubles() {
        return Map.copyOf(troubles);
    }

    /** In the place of a broker that is not configured: its messages wait. */
    private record Missing(String scheme) implements BrokerPublisher {

        @Override
        public void send(StoredMessage message, Consumer<PublishResult> result) {
            result.accept(PublishResult.unreachable("This relay has no publisher for the scheme '" + scheme
                    + "': add the client library and the connection properties of that broker"));
        }

        @Override
        public void close() {}
    }
}
