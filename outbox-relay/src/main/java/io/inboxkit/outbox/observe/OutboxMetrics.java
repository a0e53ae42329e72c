package io.inboxkit.outbox.observe;

import io.inboxkit.outbox.Destination;
import io.inboxkit.outbox.OutboxOperations;
import io.inboxkit.outbox.OutboxOperations.Backlog;
import io.inboxkit.outbox.RelayObserver;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.function.ToDoubleFunction;
import org.springframework.dao.DataAccessException;

/**
 * The metrics of the outbox: counter {@code outbox.messages} (tag {@code outcome}), timer {@code outbox.latency} from written to
 * confirmed, gauges {@code outbox.pending} and {@code outbox.oldest.age} in seconds. Thread-safe.
 */
public final class OutboxMetrics implements RelayObserver {

    private final Counter published;
    private final Counter failed;
    private final Counter parked;
    private final Timer latency;

    /**
     * @param registry where the meters are kept
     * @param operations tells how much waits
     */
    public OutboxMetrics(MeterRegistry registry, OutboxOperations operations) {
        published = counter(registry, "published");
        failed = counter(registry, "failed");
        parked = counter(registry, "parked");
        latency = Timer.builder("outbox.latency")
                .description("From the writing of a message to its confirmation by the broker")
                .register(registry);
        Gauge.builder("outbox.pending", operations, from(Backlog::pending))
                .description("Messages that wait to be published")
                .register(registry);
        Gauge.builder(
                        "outbox.oldest.age",
                        operations,
                        from(backlog -> backlog.oldest().toMillis() / 1000.0))
                .description("How long the oldest message has waited")
                .baseUnit("seconds")
                .register(registry);
    }

    private static Counter counter(MeterRegistry registry, String outcome) {
        return Counter.builder("outbox.messages").tag("outcome", outcome).register(registry);
    }

    private static ToDoubleFunction<OutboxOperations> from(ToDoubleFunction<Backlog> part) {
        return operations -> {
            try {
                return part.applyAsDouble(operations.backlog());
            } catch (DataAccessException e) {
                return Double.NaN;
            }
        };
    }

    @Override
    public void published(Destination destination, Duration age) {
        published.increment();
        latency.record(age);
    }

    @Override
    public void failed(Destination destination) {
        failed.increment();
    }

    @Override
    public void parked(Destination destination) {
        parked.increment();
    }
}
