package io.inboxkit.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What operators see of an outbox, and do with it. Every call is a transaction of its own; relays take notice within a second.
 * Thread-safe; throws {@link org.springframework.dao.DataAccessException} when the database does not answer.
 */
public interface OutboxOperations {

    /**
     * How much waits.
     *
     * @param pending how many messages wait to be published
     * @param oldest how long the oldest of them has waited; zero if there is none
     * @param parked how many messages are parked
     */
    record Backlog(long pending, Duration oldest, long parked) {}

    /**
     * A message that could not be published.
     *
     * @param id its id
     * @param destination where it was to go
     * @param type its type, or {@code null}
     * @param attempts how often it was tried
     * @param writtenAt when it was written
     * @param parkedAt when it was parked
     * @param reason what was wrong with it
     */
    record ParkedMessage(
            String id,
            Destination destination,
            @Nullable String type,
            int attempts,
            Instant writtenAt,
            Instant parkedAt,
            String reason) {}

    /** How much waits; a few seconds old at most. */
    Backlog backlog();

    /** Parked messages, in the order in which they were written. */
    List<ParkedMessage> parked(MessageFilter filter, int limit);

    /**
     * Has parked messages tried again, each in its place among those of its key.
     *
     * @return how many there were
     */
    int retry(MessageFilter filter);

    /**
     * Deletes parked messages; what waits behind them goes on.
     *
     * @return how many there were
     */
    int discard(MessageFilter filter);

    /**
     * Publishes messages again that were kept after they were published, under their old ids and in their old order.
     *
     * @param filter which; it must not name a reason
     * @param from only those that were published at that time or later; {@code null} for any
     * @param to only those that were published before that time; {@code null} for any
     * @return how many there were
     */
    int publishAgain(MessageFilter filter, @Nullable Instant from, @Nullable Instant to);
}
