package io.inboxkit.outbox.jdbc;

import io.inboxkit.outbox.WakeUp;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Tells relays of other processes, through the database, that messages were committed: from one background thread, so that no
 * business transaction pays for it, and at most once per 5 ms. A signal that cannot be sent is dropped; relays poll as well.
 */
public final class WakeUpSender implements WakeUp, SmartLifecycle {

    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final Logger LOG = LoggerFactory.getLogger(WakeUpSender.class);

    private final DataSource dataSource;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile boolean signalled;
    private @Nullable Thread thread;

    /**
     * @param dataSource where the outbox is; one connection is taken for each signal
     */
    public WakeUpSender(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public void messagesCommitted() {
        // Under load it is set already, and commits do not meet at the lock.
        if (!signalled) {
            lock.lock();
            try {
                signalled = true;
                changed.signal();
            } finally {
                lock.unlock();
            }
        }
    }

    private void run() {
        try {
            while (awaitSignal()) {
                send();
                awaitPause();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean awaitSignal() throws InterruptedException {
        lock.lock();
        try {
            while (!signalled && isCurrent()) {
                changed.await();
            }
            // Before it is sent: what is committed from now on needs another one.
            signalled = false;
            return isCurrent();
        } finally {
            lock.unlock();
        }
    }

    private void awaitPause() throws InterruptedException {
        lock.lock();
        try {
            long left = PAUSE.toNanos();
            while (left > 0 && isCurrent()) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean isCurrent() {
        return thread == Thread.currentThread();
    }

    private void send() {
        try (Connection connection = dataSource.getConnection()) {
            if (!connection.getAutoCommit()) {
                connection.setAutoCommit(true);
            }
            try (PreparedStatement notify = connection.prepareStatement(OutboxSql.NOTIFY)) {
                notify.setString(1, "");
                notify.execute();
            }
        } catch (SQLException | RuntimeException e) {
            LOG.debug("Relays could not be woken and will find new messages when they poll", e);
        }
    }

    @Override
    public void start() {
        lock.lock();
        try {
            if (thread == null) {
                thread = new Thread(this::run, "outbox-wake-up");
                thread.setDaemon(true);
                thread.start();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void stop() {
        Thread stopped;
        lock.lock();
        try {
            stopped = thread;
            thread = null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (stopped != null) {
            try {
                stopped.join(TimeUnit.SECONDS.toMillis(5));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public boolean isRunning() {
        lock.lock();
        try {
            return thread != null;
        } finally {
            lock.unlock();
        }
    }
}
