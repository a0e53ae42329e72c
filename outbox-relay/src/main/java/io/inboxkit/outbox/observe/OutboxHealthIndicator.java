package io.inboxkit.outbox.observe;

import io.inboxkit.outbox.OutboxOperations;
import io.inboxkit.outbox.OutboxOperations.Backlog;
import io.inboxkit.outbox.RelayState;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * DOWN while a destination does not take messages, the relay does not reach its database, or the oldest message has waited for
 * too long. Parked messages are shown, and no failure: an operator deals with them while the rest goes on.
 */
public final class OutboxHealthIndicator extends AbstractHealthIndicator {

    private static final int MOST_SHOWN = 20;

    private final Supplier<RelayState> relay;
    private final OutboxOperations operations;
    private final Duration longestWait;

    /**
     * @param relay tells how the relay is
     * @param operations tells how much waits
     * @param longestWait how long a message may wait
     */
    public OutboxHealthIndicator(Supplier<RelayState> relay, OutboxOperations operations, Duration longestWait) {
        super("The health of the outbox could not be told");
        this.relay = relay;
        this.operations = operations;
        this.longestWait = longestWait;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        RelayState state = relay.get();
        Backlog backlog = operations.backlog();
        boolean up = state.running()
                && state.databaseReachable()
                && state.troubles().isEmpty()
                && backlog.oldest().compareTo(longestWait) <= 0;
        builder.status(up ? "UP" : "DOWN")
                .withDetail("running", state.running())
                .withDetail("partitions", state.partitions())
                .withDetail("databaseReachable", state.databaseReachable())
                .withDetail("signalled", state.signalled())
                .withDetail("pending", backlog.pending())
                .withDetail("oldestSeconds", backlog.oldest().toSeconds())
                .withDetail("parked", backlog.parked());
        if (!state.troubles().isEmpty()) {
            Map<String, Object> destinations = new LinkedHashMap<>();
            state.troubles().entrySet().stream()
                    .limit(MOST_SHOWN)
                    .forEach(trouble -> destinations.put(
                            trouble.getKey().toString(),
                            Map.of(
                                    "since",
                                    trouble.getValue().since(),
                                    "error",
                                    trouble.getValue().error())));
            builder.withDetail("failing", destinations);
        }
    }
}
