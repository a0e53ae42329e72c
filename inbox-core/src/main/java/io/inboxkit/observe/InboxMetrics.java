package io.inboxkit.observe;

import io.inboxkit.DuplicateOrigin;
import io.inboxkit.InboxObserver;
import io.inboxkit.Position;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of the inbox: counters {@code inbox.messages} (tags {@code consumer}, {@code outcome}), {@code inbox.duplicates}
 * ({@code consumer}, {@code origin}) and {@code inbox.purged} ({@code consumer}), timers {@code inbox.processing} and
 * {@code inbox.claim} ({@code consumer}). Thread-safe.
 */
public final class InboxMetrics implements InboxObserver {

    private final MeterRegistry registry;
    private final Map<String, ConsumerMeters> consumers = new ConcurrentHashMap<>();

    /**
     * @param registry where the meters are kept
     */
    public InboxMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void outcome(String consumer, MessageOutcome outcome) {
        meters(consumer).messages(outcome).increment();
    }

    @Override
    public void duplicate(
            String consumer, DuplicateOrigin origin, @Nullable Position position, @Nullable Position first) {
        meters(consumer).duplicates(origin).increment();
    }

    @Override
    public void claimed(String consumer, Duration duration) {
        meters(consumer).claim().record(duration);
    }

    @Override
    public void finished(String consumer, Duration duration) {
        meters(consumer).processing().record(duration);
    }

    @Override
    public void purged(String consumer, int count) {
        registry.counter("inbox.purged", ConsumerMeters.CONSUMER, consumer).increment(count);
    }

    private ConsumerMeters meters(String consumer) {
        ConsumerMeters meters = consumers.get(consumer);
        return meters != null
                ? meters
                : consumers.computeIfAbsent(consumer, name -> new ConsumerMeters(registry, name));
    }
}
