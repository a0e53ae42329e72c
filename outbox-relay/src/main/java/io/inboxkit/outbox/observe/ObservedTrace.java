package io.inboxkit.outbox.observe;

import io.inboxkit.outbox.CurrentTrace;
import io.inboxkit.outbox.OutboxHeader;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The trace of the writer by an observation {@code outbox.publish} of kind producer, which a tracing library writes into the
 * headers. Thread-safe.
 */
public final class ObservedTrace implements CurrentTrace {

    private final ObservationRegistry registry;

    /**
     * @param registry what observes
     */
    public ObservedTrace(ObservationRegistry registry) {
        this.registry = registry;
    }

    @Override
    public List<OutboxHeader> headers() {
        if (registry.isNoop()) {
            return List.of();
        }
        SenderContext<List<OutboxHeader>> context = new SenderContext<>(
                (headers, name, value) -> {
                    if (headers != null) {
                        headers.add(new OutboxHeader(name, value.getBytes(StandardCharsets.UTF_8)));
                    }
                },
                Kind.PRODUCER);
        List<OutboxHeader> headers = new ArrayList<>();
        context.setCarrier(headers);
        Observation.createNotStarted("outbox.publish", () -> context, registry)
                .start()
                .stop();
        return headers;
    }
}
