package io.inboxkit.observe;

import io.inboxkit.InboxObserver;
import io.inboxkit.Position;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of the inbox: counters {@code inbox.messages} (tags {@code consumer}, {@code outcome}), {@code inbox.duplicates}
 * ({@code consumer}, {@code origin}) and {@code inbox.purged} ({@code consumer}), timers {@code inbox.processing} and
 * {@code inbox.claim} ({@code consumer}).
 */
public final class InboxMetrics implements InboxObserver {

    private static final String CONSUMER = "consumer";

    private final MeterRegistry registry;

    /**
     * @param registry where the meters are kept
     */
    public InboxMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void outcome(String consumer, MessageOutcome outcome) {
        registry.counter(
                        "inbox.messages",
                        CONSUMER,
                        consumer,
                        "outcome",
                        outcome.name().toLowerCase(Locale.ROOT))
                .increment();
    }

    @Override
    public void duplicate(String consumer, @Nullable Position position, @Nullable Position first) {
        registry.counter("inbox.duplicates", CONSUMER, consumer, "origin", origin(position, first))
                .increment();
    }

    @Override
    public void claimed(String consumer, Duration duration) {
        registry.timer("inbox.claim", CONSUMER, consumer).record(duration);
    }

    @Override
    public void finished(String consumer, Duration duration) {
        registry.timer("inbox.processing", CONSUMER, consumer).record(duration);
    }

    @Override
    public void purged(String consumer, int count) {
        registry.counter("inbox.purged", CONSUMER, consumer).increment(count);
    }

    private static String origin(@Nullable Position position, @Nullable Position first) {
        if (position == null || first == null) {
            return "unknown";
        }
        return position.equals(first) ? "redelivery" : "producer";
    }
}
