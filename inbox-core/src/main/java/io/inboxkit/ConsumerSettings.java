package io.inboxkit;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one consumer, resolved: what the annotation says, else what the properties say.
 *
 * @param onReusedId {@link ReusedIdPolicy#REJECT} or {@link ReusedIdPolicy#SKIP}
 * @param retention how long ids are kept; positive, {@link #LONGEST_RETENTION} at most
 * @param isolation the isolation level of the transaction as in {@code java.sql.Connection}, or -1 for the one of the
 *     {@code DataSource}
 * @param timeout the timeout of the transaction, or {@code null} for the one of the transaction manager
 */
public record ConsumerSettings(
        ReusedIdPolicy onReusedId, Duration retention, int isolation, @Nullable Duration timeout) {

    /** The isolation level that leaves the choice to the {@code DataSource}. */
    public static final int DEFAULT_ISOLATION = -1;

    /** More than that is no interval that a database can subtract from the present. */
    public static final Duration LONGEST_RETENTION = Duration.ofDays(36_500);

    public ConsumerSettings {
        if (onReusedId == ReusedIdPolicy.DEFAULT) {
            throw new IllegalArgumentException("onReusedId must be resolved to REJECT or SKIP");
        }
        if (retention.isNegative() || retention.isZero() || retention.compareTo(LONGEST_RETENTION) > 0) {
            throw new IllegalArgumentException(
                    "retention must be positive and 36500 days at most, but is " + retention);
        }
    }

    /** The settings of a consumer for which nothing is said. */
    public static ConsumerSettings of(ReusedIdPolicy onReusedId, Duration retention) {
        return new ConsumerSettings(onReusedId, retention, DEFAULT_ISOLATION, null);
    }

    /** These settings with the isolation level and timeout of the handler's own {@code @Transactional}. */
    public ConsumerSettings transaction(int newIsolation, @Nullable Duration newTimeout) {
        return new ConsumerSettings(onReusedId, retention, newIsolation, newTimeout);
    }
}
