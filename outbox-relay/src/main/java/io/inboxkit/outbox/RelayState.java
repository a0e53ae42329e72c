package io.inboxkit.outbox;

import java.time.Instant;
import java.util.Map;

/**
 * How a relay is.
 *
 * @param running whether it was started and not stopped
 * @param partitions how many partitions it owns
 * @param databaseReachable whether its last statements went through
 * @param signalled whether signals of writers reach it; otherwise it polls
 * @param troubles the destinations that do not take messages
 */
public record RelayState(
        boolean running,
        int partitions,
        boolean databaseReachable,
        boolean signalled,
        Map<Destination, Trouble> troubles) {

    /**
     * A destination that does not take messages.
     *
     * @param since since when
     * @param error what is wrong
     */
    public record Trouble(Instant since, String error) {}
}
