package io.inboxkit.jdbc;

import io.inboxkit.InboxMessage;
import io.inboxkit.Position;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells of skipped messages that were stale: one line a minute and consumer, since a replay can have millions. Thread-safe. */
final class StaleLog {

    private static final Logger LOG = LoggerFactory.getLogger(InboxTransactions.class);
    private static final long PAUSE = TimeUnit.MINUTES.toNanos(1);

    private final Map<String, Skipped> consumers = new ConcurrentHashMap<>();

    void skipped(InboxMessage message, Object name) {
        LOG.debug("The {} at {} is stale and was skipped", name, message.position());
        consumers.computeIfAbsent(message.consumer(), consumer -> new Skipped()).add(message);
    }

    private static final class Skipped {

        private long count;
        private long quietUntil = System.nanoTime();

        synchronized void add(InboxMessage message) {
            count++;
            long now = System.nanoTime();
            Position position = message.position();
            if (now - quietUntil < 0 || position == null) {
                return;
            }
            LOG.warn(
                    "Consumer '{}' skips messages that are stale: not known, at or below a position up to which its ids have"
                            + " been purged, and not open. {} since the last such line, the latest at partition {}, offset"
                            + " {}. They were processed once, unless somebody has skipped them by hand; see inbox.stale.action",
                    message.consumer(),
                    count,
                    position.partition(),
                    position.offset());
            count = 0;
            quietUntil = now + PAUSE;
        }
    }
}
