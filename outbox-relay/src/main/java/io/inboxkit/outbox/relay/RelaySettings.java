package io.inboxkit.outbox.relay;

import io.inboxkit.outbox.OutboxConfigurationException;
import java.time.Duration;

/**
 * How a relay works.
 *
 * @param batchSize how many messages are read or removed by one statement, from 1 to 10,000
 * @param workers how many threads publish, from 1 to 32
 * @param pollInterval how often is looked for messages where no signal comes, 1 ms or more
 * @param lease how long a relay that gives no sign of life keeps its partitions, at least twice the send timeout
 * @param maxAttempts after how many attempts a message that is at fault is parked, 1 or more
 * @param onParked what happens to later messages of a parked message's key
 * @param sendTimeout how long the broker may take to confirm a message, 100 ms or more
 */
public record RelaySettings(
        int batchSize,
        int workers,
        Duration pollInterval,
        Duration lease,
        int maxAttempts,
        OnParked onParked,
        Duration sendTimeout) {

    /** What happens to later messages of a parked message's key. */
    public enum OnParked {
        /** They wait until the parked message is retried or discarded. */
        HOLD_KEY,
        /** They are published. */
        CONTINUE
    }

    public RelaySettings {
        require(batchSize >= 1 && batchSize <= 10_000, "batch-size", batchSize, "from 1 to 10000");
        require(workers >= 1 && workers <= 32, "workers", workers, "from 1 to 32");
        require(pollInterval.toMillis() >= 1, "poll-interval", pollInterval, "1 ms or more");
        require(maxAttempts >= 1 && maxAttempts <= 1000, "max-attempts", maxAttempts, "from 1 to 1000");
        require(sendTimeout.toMillis() >= 100, "send-timeout", sendTimeout, "100 ms or more");
        require(
                lease.compareTo(sendTimeout.multipliedBy(2)) >= 0 && lease.toMillis() >= 1000,
                "lease",
                lease,
                "1 s or more, and at least twice outbox.relay.send-timeout, " + sendTimeout
                        + ": near the end of its lease a relay sends nothing");
    }

    private static void require(boolean condition, String property, Object value, String range) {
        if (!condition) {
            throw new OutboxConfigurationException(
                    "The property 'outbox.relay." + property + "' is " + value, "Choose a value of " + range);
        }
    }
}
