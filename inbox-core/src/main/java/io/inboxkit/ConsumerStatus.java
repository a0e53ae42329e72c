package io.inboxkit;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the database knows of a consumer. All times are by its clock.
 *
 * @param consumer its name
 * @param retention how long its ids are kept, in time in which it is alive
 * @param open how many of its messages failed or were refused, and have not been processed since
 * @param oldestOpen since when the oldest of them is open, or {@code null} if there is none
 * @param aliveAt when it was last known to be alive, or {@code null} if it never was
 * @param silent whether it has not been alive for four retentions
 * @param purgedAt when a purge of its ids last came to its end, or {@code null} if none has
 */
public record ConsumerStatus(
        String consumer,
        Duration retention,
        long open,
        @Nullable Instant oldestOpen,
        @Nullable Instant aliveAt,
        boolean silent,
        @Nullable Instant purgedAt) {}
