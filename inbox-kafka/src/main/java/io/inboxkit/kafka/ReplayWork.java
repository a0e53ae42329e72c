package io.inboxkit.kafka;

import io.inboxkit.jdbc.ReplayFailureRow;
import io.inboxkit.jdbc.ReplayRow;
import io.inboxkit.jdbc.ReplayRuns;
import io.inboxkit.jdbc.ReplayRuns.Wish;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.transaction.TransactionException;

/** A run on which this instance works. Thread-safe. */
final class ReplayWork implements ReplayReader.Events {

    private static final Logger LOG = LoggerFactory.getLogger("io.inboxkit.kafka");

    private static final long SAVE_INTERVAL = TimeUnit.SECONDS.toNanos(1);

    private final ReplayRow run;
    private final ReplayRuns runs;
    private final UUID owner;
    private final ReplayProgress progress;
    private final Executor executor;
    private final AtomicBoolean ending = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable MessageListenerContainer container;
    private long lastSaved = System.nanoTime();

    /**
     * @param executor ends the work, since the consumer's thread cannot wait for its own container
     */
    ReplayWork(ReplayRow run, ReplayRuns runs, UUID owner, ReplayProgress progress, Executor executor) {
        this.run = run;
        this.runs = runs;
        this.owner = owner;
        this.progress = progress;
        this.executor = executor;
    }

    void start(MessageListenerContainer newContainer) {
        container = newContainer;
        newContainer.start();
    }

    boolean isOver() {
        return ended.getCount() == 0;
    }

    /** Gives a sign of life, and does what is asked of the owner. */
    void beat() {
        if (ending.get()) {
            return;
        }
        MessageListenerContainer current = container;
        if (current != null && !current.isRunning()) {
            ended(ReplayState.FAILED, "its container has stopped; the log of the instance says why");
            return;
        }
        try {
            Wish wish = runs.beat(run.id(), owner);
            if (wish == Wish.STOP) {
                ended(ReplayState.STOPPED, "stopped by an operator");
            } else if (wish == Wish.LET_GO) {
                letGo();
            }
        } catch (DataAccessException | TransactionException e) {
            LOG.debug("The replay '{}' cannot give a sign of life", run.name(), e);
        }
    }

    @Override
    public void settled() {
        long now = System.nanoTime();
        if (now - lastSaved >= SAVE_INTERVAL && !ending.get()) {
            lastSaved = now;
            if (!save()) {
                letGo();
            }
        }
    }

    @Override
    public void ended(ReplayState state, @Nullable String reason) {
        if (ending.compareAndSet(false, true)) {
            executor.execute(() -> end(state, reason));
        }
    }

    private void letGo() {
        if (ending.compareAndSet(false, true)) {
            LOG.warn("Another instance has taken the replay '{}' over; this one lets go of it", run.name());
            executor.execute(() -> {
                stopContainer();
                ended.countDown();
            });
        }
    }

    /** Stops now, and waits for it; the run stays as it is for others to take if it is still to be running. */
    void stop(ReplayState state, @Nullable String reason) {
        if (ending.compareAndSet(false, true)) {
            end(state, reason);
        } else {
            try {
                if (!ended.await(30, TimeUnit.SECONDS)) {
                    LOG.warn("The replay '{}' has not ended within 30 s", run.name());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void end(ReplayState state, @Nullable String reason) {
        try {
            stopContainer();
            if (save() && runs.end(run.id(), owner, state.name(), reason)) {
                LOG.info(
                        "Replay '{}' is {}{}: {}",
                        run.name(),
                        state,
                        reason == null ? "" : " (" + reason + ")",
                        progress.counts());
                if (state == ReplayState.COMPLETED) {
                    runs.forgetHandled(run.id());
                }
            }
        } catch (DataAccessException | TransactionException e) {
            LOG.warn(
                    "The end of the replay '{}' could not be noted. It is taken up again where it was noted last",
                    run.name(),
                    e);
        } finally {
            ended.countDown();
        }
    }

    private void stopContainer() {
        MessageListenerContainer current = container;
        if (current != null) {
            current.stop();
        }
    }

    /** Whether this instance is still the owner, or cannot tell. */
    private boolean save() {
        List<ReplayFailureRow> failures = progress.failures();
        try {
            boolean owned = runs.save(run.id(), owner, progress.counts(), progress.partitions(), failures);
            if (owned) {
                progress.noted(failures);
            }
            return owned;
        } catch (DataAccessException | TransactionException e) {
            LOG.debug("The progress of the replay '{}' cannot be noted", run.name(), e);
            return true;
        }
    }
}
