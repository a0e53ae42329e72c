package io.inboxkit.outbox.observe;

import io.inboxkit.outbox.MessageFilter;
import io.inboxkit.outbox.OutboxOperations;
import io.inboxkit.outbox.OutboxOperations.Backlog;
import io.inboxkit.outbox.OutboxOperations.ParkedMessage;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The endpoint {@code outbox}: what waits and what is parked; parked messages are tried again or discarded, published ones that were
 * kept are published again. Thread-safe.
 */
@Endpoint(id = "outbox")
public final class OutboxEndpoint {

    private static final int MOST_SHOWN = 100;

    private final OutboxOperations operations;

    /**
     * @param operations what it calls
     */
    public OutboxEndpoint(OutboxOperations operations) {
        this.operations = operations;
    }

    /**
     * How much waits, and what is parked.
     *
     * @param pending how many messages wait
     * @param oldestSeconds how long the oldest of them has waited
     * @param parked how many are parked
     * @param messages the first of the parked ones
     */
    public record Overview(long pending, double oldestSeconds, long parked, List<ParkedMessage> messages) {}

    /**
     * What was done.
     *
     * @param action what was asked for
     * @param messages for how many messages
     */
    public record Done(Action action, int messages) {}

    /** What can be done. */
    public enum Action {
        /** Parked messages are tried again. */
        RETRY,
        /** Parked messages are deleted. */
        DISCARD,
        /** Kept messages are published again. */
        PUBLISH_AGAIN
    }

    /** How much waits, and those parked messages that match all that is given. */
    @ReadOperation
    public Overview overview(
            @Nullable String id, @Nullable String destination, @Nullable String key, @Nullable String reason) {
        Backlog backlog = operations.backlog();
        return new Overview(
                backlog.pending(),
                backlog.oldest().toMillis() / 1000.0,
                backlog.parked(),
                operations.parked(filter(id, destination, key, reason), MOST_SHOWN));
    }

    /**
     * Does something with those messages that match all that is given.
     *
     * @throws IllegalArgumentException if nothing is given and {@code all} is not true: so nobody empties the table by a slip
     */
    @WriteOperation
    public Done act(
            @Selector Action action,
            @Nullable String id,
            @Nullable String destination,
            @Nullable String key,
            @Nullable String reason,
            @Nullable OffsetDateTime from,
            @Nullable OffsetDateTime to,
            @Nullable Boolean all) {
        boolean any = id == null && destination == null && key == null && reason == null && from == null && to == null;
        if (any && !Boolean.TRUE.equals(all)) {
            throw new IllegalArgumentException(
                    "Say which messages, by id, destination, key, reason or time, or set all to true");
        }
        MessageFilter filter = filter(id, destination, key, reason);
        int messages =
                switch (action) {
                    case RETRY -> operations.retry(filter);
                    case DISCARD -> operations.discard(filter);
                    case PUBLISH_AGAIN ->
                        operations.publishAgain(
                                filter, from == null ? null : from.toInstant(), to == null ? null : to.toInstant());
                };
        return new Done(action, messages);
    }

    private static MessageFilter filter(
            @Nullable String id, @Nullable String destination, @Nullable String key, @Nullable String reason) {
        return new MessageFilter(id == null ? List.of() : List.of(id), destination, key, reason);
    }
}
