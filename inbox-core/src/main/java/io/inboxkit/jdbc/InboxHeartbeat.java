package io.inboxkit.jdbc;

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
 * Notes once a minute, by the clock of the database, which consumers are alive. Only such time counts towards the retention of
 * their ids, so that an outage makes nobody forget.
 */
public final class InboxHeartbeat implements SmartLifecycle {

    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(InboxHeartbeat.class);

    private final List<JdbcInbox> inboxes;
    private @Nullable SimpleAsyncTaskScheduler scheduler;
    private @Nullable ScheduledFuture<?> beats;
    private volatile boolean databaseDown;

    /**
     * @param inboxes the inboxes whose consumers are alive as long as this runs
     */
    public InboxHeartbeat(List<JdbcInbox> inboxes) {
        this.inboxes = List.copyOf(inboxes);
    }

    /** Notes it now. */
    public void beat() {
        inboxes.forEach(JdbcInbox::beat);
    }

    private void beatQuietly() {
        try {
            beat();
            databaseDown = false;
        } catch (DataAccessException | TransactionException e) {
            if (!databaseDown) {
                LOG.warn(
                        "The inbox could not note that its consumers are alive, so this time does not count towards their"
                                + " retention; tried again every {}",
                        INTERVAL,
                        e);
            }
            databaseDown = true;
        }
    }

    @Override
    public synchronized void start() {
        if (scheduler == null) {
            scheduler = new SimpleAsyncTaskScheduler();
            scheduler.setThreadNamePrefix("inbox-heartbeat-");
            // Not a moment after the start: a process that lives for less than a minute is alive as well.
            beats = scheduler.scheduleWithFixedDelay(
                    this::beatQuietly, Instant.now().plusSeconds(1), INTERVAL);
        }
    }

    @Override
    public synchronized void stop() {
        if (beats != null) {
            beats.cancel(false);
            beats = null;
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
