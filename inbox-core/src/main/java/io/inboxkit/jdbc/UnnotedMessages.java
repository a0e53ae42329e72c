package io.inboxkit.jdbc;

import io.inboxkit.jdbc.OpenMessages.OpenMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Open messages that the database could not take: as many as memory may be spent on. Thread-safe. */
final class UnnotedMessages {

    private static final Logger LOG = LoggerFactory.getLogger(OpenMessages.class);
    private static final int MOST = 10_000;
    private static final long PAUSE = TimeUnit.MINUTES.toNanos(1);

    private final List<OpenMessage> waiting = new ArrayList<>();
    private long quietUntil = System.nanoTime();

    synchronized void add(List<OpenMessage> open, Exception cause) {
        waiting.addAll(open.subList(0, Math.min(open.size(), MOST - waiting.size())));
        warn(waiting.size(), cause);
    }

    synchronized List<OpenMessage> take() {
        List<OpenMessage> taken = List.copyOf(waiting);
        waiting.clear();
        return taken;
    }

    /** Once a minute: a database that is down fails everything. */
    synchronized void warn(int count, Exception cause) {
        long now = System.nanoTime();
        if (now - quietUntil >= 0) {
            quietUntil = now + PAUSE;
            LOG.warn(
                    "The inbox could not note that {} failed or refused messages are open. It is tried again every minute"
                            + " while this process runs; a message of which it is not noted counts as stale once the ids"
                            + " around it are purged. Look at the cause, and at the database",
                    count,
                    cause);
        }
    }
}
