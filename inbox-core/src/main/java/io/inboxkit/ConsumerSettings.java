package io.inboxkit;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one consumer, resolved: what the annotation says, else what the properties say.
 *
 * @param onReusedId {@link ReusedIdPolicy#REJECT} or {@link ReusedIdPolicy#SKIP}
 * @param retention how long ids are kept; positive
 * @param isolation the isolation level of the transaction as in {@code java.sql.Connection}, or -1 for the one of the
 *     {@code DataSource}
 * @param timeout the timeout of the transaction, or {@code null} for the one of the transaction manager
 */
public record ConsumerSettings(
        ReusedIdPolicy onReusedId, Duration retention, int isolation, @Nullable Duration timeout) {

    /** The isolation level that leaves the choice to the {@code DataSource}. */
    public static final int DEFAULT_ISOLATION = -1;

    public ConsumerSettings {
        if (onReusedId == ReusedIdPolicy.DEFAULT) {
            throw new IllegalArgumentException("onReusedId must be resolved to REJECT or SKIP");
        }
        if (retention.isNegative() || retention.isZero()) {
            throw new IllegalArgumentException("retention must be positive, but is " + retention);
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
