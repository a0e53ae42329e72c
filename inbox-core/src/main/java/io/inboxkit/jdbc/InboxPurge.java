package io.inboxkit.jdbc;

import io.inboxkit.InboxConfigurationException;
import io.inboxkit.InboxObserver;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;
import org.springframework.transaction.TransactionException;

/**
 * Deletes ids that are older than the retention of their consumer plus a margin, in time in which the consumer was alive, by the
 * clock of the database, in small batches of one transaction each. Ids with a position go only after a floor over them has been
 * committed for the margin. Any number of instances may run: one at a time works on a consumer. Claims never wait for it.
 */
public final class InboxPurge implements SmartLifecycle {

    /** How many ids are deleted in one transaction, unless something else is set. */
    public static final int DEFAULT_BATCH_SIZE = 5000;

    /** After a start, redeliveries of what was processed before it come in first. */
    private static final Duration START_DELAY = Duration.ofMinutes(5);

    private static final Logger LOG = LoggerFactory.getLogger(InboxPurge.class);

    private final List<JdbcInbox> inboxes;
    private final Settings settings;
    private final InboxObserver observer;
    private @Nullable SimpleAsyncTaskScheduler scheduler;
    private @Nullable ScheduledFuture<?> runs;
    private volatile boolean databaseDown;

    /**
     * When and how much is deleted.
     *
     * @param interval the time between two runs, one second or more
     * @param batchSize how many ids are deleted in one transaction, from 1 to 100,000
     * @param margin how much longer than the retention, and than the floor over it was raised, an id is kept; zero or more
     */
    public record Settings(Duration interval, int batchSize, Duration margin) {

        public Settings {
            require(interval.compareTo(Duration.ofSeconds(1)) >= 0, "inbox.purge.interval", interval, "1 s or more");
            require(batchSize >= 1 && batchSize <= 100_000, "inbox.purge.batch-size", batchSize, "from 1 to 100000");
            require(!margin.isNegative(), "inbox.purge.margin", margin, "zero or more");
        }

        private static void require(boolean condition, String property, Object value, String range) {
            if (!condition) {
                throw new InboxConfigurationException(
                        "The property '" + property + "' is " + value, "Choose a value of " + range);
            }
        }
    }

    /**
     * @param inboxes the inboxes whose tables are purged
     * @param settings when and how much
     * @param observer who hears of it
     */
    public InboxPurge(List<JdbcInbox> inboxes, Settings settings, InboxObserver observer) {
        this.inboxes = List.copyOf(inboxes);
        this.settings = settings;
        this.observer = observer;
    }

    /** Deletes all that is old enough; consumers on which another instance works are left to it. */
    public void run() {
        for (JdbcInbox inbox : inboxes) {
            inbox.beat();
            for (String consumer : inbox.consumerNames()) {
                inbox.purge(consumer, settings, deleted -> observer.purged(consumer, deleted));
            }
            inbox.purgeRetired();
        }
    }

    private void runQuietly() {
        try {
            run();
            databaseDown = false;
        } catch (DataAccessException | TransactionException e) {
            if (!databaseDown) {
                LOG.warn(
                        "The purge of the inbox could not run and will be tried again every {}",
                        settings.interval(),
                        e);
            }
            databaseDown = true;
        }
    }

    @Override
    public synchronized void start() {
        if (scheduler == null) {
            scheduler = new SimpleAsyncTaskScheduler();
            scheduler.setThreadNamePrefix("inbox-purge-");
            runs = scheduler.scheduleWithFixedDelay(
                    this::runQuietly, Instant.now().plus(START_DELAY), settings.interval());
        }
    }

    @Override
    public synchronized void stop() {
        if (runs != null) {
            runs.cancel(false);
            runs = null;
        }
        if (scheduler != null) {
            scheduler.close();
            scheduler = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return scheduler != null;
    }
}
