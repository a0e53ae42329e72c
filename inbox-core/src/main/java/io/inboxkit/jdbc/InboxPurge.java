package io.inboxkit.jdbc;

import io.inboxkit.InboxObserver;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Deletes ids that are older than the retention of their consumer plus a margin, by the clock of the database, in small
 * batches of one transaction each. Any number of instances may run: one at a time works on a consumer. Claims never wait for it.
 */
public final class InboxPurge implements SmartLifecycle {

    /** How many ids are deleted in one transaction, unless something else is set. */
    public static final int DEFAULT_BATCH_SIZE = 5000;

    /** After a start, redeliveries of what was processed before it come in first. */
    private static final Duration START_DELAY = Duration.ofMinutes(5);

    private static final Logger LOG = LoggerFactory.getLogger(InboxPurge.class);

    private final JdbcClient jdbc;
    private final InboxSql sql;
    private final TransactionTemplate transactions;
    private final Settings settings;
    private final InboxObserver observer;
    private @Nullable SimpleAsyncTaskScheduler scheduler;
    private volatile boolean databaseDown;

    /**
     * When and how much is deleted.
     *
     * @param interval the time between two runs, positive
     * @param batchSize how many ids are deleted in one transaction, from 1 to 100,000
     * @param margin how much longer than the retention an id is kept, zero or more
     */
    public record Settings(Duration interval, int batchSize, Duration margin) {}

    /** A purge of the tables of an inbox. */
    public InboxPurge(JdbcInbox inbox, Settings settings, InboxObserver observer) {
        this(inbox.jdbc(), inbox.sql(), inbox.transactionManager(), settings, observer);
    }

    InboxPurge(
            JdbcClient jdbc,
            InboxSql sql,
            PlatformTransactionManager manager,
            Settings settings,
            InboxObserver observer) {
        this.jdbc = jdbc;
        this.sql = sql;
        this.transactions = new TransactionTemplate(manager);
        this.settings = settings;
        this.observer = observer;
    }

    /** Deletes all that is old enough; consumers on which another instance works are left to it. */
    public void run() {
        for (Consumer consumer : consumers()) {
            int deleted;
            do {
                deleted = purgeBatch(consumer);
                if (deleted > 0) {
                    observer.purged(consumer.name(), deleted);
                }
            } while (deleted == settings.batchSize());
        }
    }

    private List<Consumer> consumers() {
        return jdbc.sql(sql.consumers)
                .query((row, number) -> new Consumer(row.getInt("id"), row.getString("name")))
                .list();
    }

    private int purgeBatch(Consumer consumer) {
        Integer deleted = transactions.execute(status -> jdbc.sql(sql.lockForPurge)
                        .param("consumer", consumer.id())
                        .query(Integer.class)
                        .optional()
                        .isEmpty()
                ? 0
                : jdbc.sql(sql.purge)
                        .param("consumer", consumer.id())
                        .param("margin", settings.margin().toMillis() / 1000.0)
                        .param("limit", settings.batchSize())
                        .update());
        return deleted == null ? 0 : deleted;
    }

    private void runQuietly() {
        try {
            run();
            databaseDown = false;
        } catch (DataAccessException | TransactionException e) {
            if (!databaseDown) {
                LOG.warn("The purge of the inbox could not run and will be tried again every {}", settings.interval(), e);
            }
            databaseDown = true;
        }
    }

    @Override
    public synchronized void start() {
        if (scheduler == null) {
            scheduler = new SimpleAsyncTaskScheduler();
            scheduler.setThreadNamePrefix("inbox-purge-");
            scheduler.scheduleWithFixedDelay(this::runQuietly, Instant.now().plus(START_DELAY), settings.interval());
        }
    }

    @Override
    public synchronized void stop() {
        if (scheduler != null) {
            scheduler.close();
            scheduler = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return scheduler != null;
    }

    private record Consumer(int id, String name) {}
}
