package io.inboxkit.observe;

import io.inboxkit.DuplicateOrigin;
import io.inboxkit.InboxObserver.MessageOutcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The meters of one consumer, kept at hand: a look-up by tags for each message would cost more than counting it. Thread-safe. */
final class ConsumerMeters {

    static final String CONSUMER = "consumer";

    private final MeterRegistry registry;
    private final String consumer;
    private final Timer claim;
    private final Timer processing;
    // Filled as they are needed, so that only what has happened is shown.
    private final Map<MessageOutcome, Counter> messages = new ConcurrentHashMap<>();
    private final Map<DuplicateOrigin, Counter> duplicates = new ConcurrentHashMap<>();

    ConsumerMeters(MeterRegistry registry, String consumer) {
        this.registry = registry;
        this.consumer = consumer;
        this.claim = registry.timer("inbox.claim", CONSUMER, consumer);
        this.processing = registry.timer("inbox.processing", CONSUMER, consumer);
    }

    Counter messages(MessageOutcome outcome) {
        return messages.computeIfAbsent(
                outcome,
                key -> registry.counter(
                        "inbox.messages",
                        CONSUMER,
                        consumer,
                        "outcome",
                        key.name().toLowerCase(Locale.ROOT)));
    }

    Counter duplicates(DuplicateOrigin origin) {
        return duplicates.computeIfAbsent(
                origin,
                key -> registry.counter(
                        "inbox.duplicates",
                        CONSUMER,
                        consumer,
                        "origin",
                        key.name().toLowerCase(Locale.ROOT)));
    }

    Timer claim() {
        return claim;
    }

    Timer processing() {
        return processing;
    }
}
