package io.inboxkit.outbox.relay;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells of parked messages, once per second at most however many there are. Used by one worker only. */
final class ParkedLog {

    private static final long INTERVAL = TimeUnit.SECONDS.toNanos(1);
    private static final Logger LOG = LoggerFactory.getLogger(ParkedLog.class);

    private long quietUntil = System.nanoTime();
    private int untold;

    void parked(Entry entry) {
        long now = System.nanoTime();
        if (now - quietUntil < 0) {
            untold++;
            return;
        }
        LOG.warn(
                "A {} was parked after {} attempts (and {} others since the last such line): {}."
                        + " Retry or discard it by the endpoint 'outbox'",
                entry.waiting.message(),
                entry.attempts,
                untold,
                entry.error);
        untold = 0;
        quietUntil = now + INTERVAL;
    }
}
