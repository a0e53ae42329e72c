package io.inboxkit.kafka;

import io.inboxkit.jdbc.ReplayRow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * What a run reads and how fast, and when it is over. Used on the thread of its one consumer, which is woken up by others.
 */
final class ReplayReader {

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);

    private final ReplayRow run;
    private final ReplayProgress progress;
    private final Events events;
    private final Semaphore wakeUps = new Semaphore(0);
    private final long failedBefore;
    private ReplaySieve sieve = ReplaySieve.NONE;
    private long nextTurn = System.nanoTime();
    private long lastCame = System.nanoTime();
    private boolean over;

    ReplayReader(ReplayRow run, ReplayProgress progress, Events events) {
        this.run = run;
        this.progress = progress;
        this.events = events;
        this.failedBefore = progress.counts().failed();
    }

    /** To be set before the container starts. */
    void sieve(ReplaySieve newSieve) {
        sieve = newSieve;
    }

    /** The most records that one poll should bring, so that a rate is kept evenly; {@code null} for no limit. */
    @Nullable
    Integer mostRecords() {
        return run.rate();
    }

    long from(TopicPartition partition) {
        return progress.from(partition);
    }

    long end(TopicPartition partition) {
        return progress.end(partition);
    }

    /**
     * The container asks for more.
     *
     * @param positions where it goes on; what is before is settled
     * @return whether there is more to read
     */
    boolean goesOn(Map<TopicPartition, Long> positions) {
        if (!over) {
            positions.forEach(progress::settled);
            if (ReplayFailurePolicy.valueOf(run.onFailure()) == ReplayFailurePolicy.STOP
                    && progress.counts().failed() > failedBefore) {
                end(ReplayState.STOPPED, "a record failed; it is among the failures of the run");
            } else if (progress.complete()) {
                end(ReplayState.COMPLETED, null);
            } else {
                events.settled();
            }
        }
        if (over) {
            await(Duration.ofMillis(100));
        }
        return !over;
    }

    /** Waits until the rate allows another poll; whether it does within the timeout. */
    boolean awaitTurn(Duration timeout) {
        long wait = nextTurn - System.nanoTime();
        if (wait <= 0) {
            return true;
        }
        await(Duration.ofNanos(Math.min(wait, timeout.toNanos())));
        return nextTurn - System.nanoTime() <= 0;
    }

    private void await(Duration time) {
        try {
            if (wakeUps.tryAcquire(time.toNanos(), TimeUnit.NANOSECONDS)) {
                wakeUps.drainPermits();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void wakeUp() {
        wakeUps.release();
    }

    /** The records of a poll that the container is to have. */
    <K, V> List<ConsumerRecord<K, V>> sift(TopicPartition partition, List<ConsumerRecord<K, V>> records) {
        lastCame = System.nanoTime();
        Integer rate = run.rate();
        if (rate != null) {
            nextTurn = Math.max(nextTurn, lastCame) + TimeUnit.SECONDS.toNanos(records.size()) / rate;
        }
        List<ConsumerRecord<K, V>> kept = sieve.sift(partition, records);
        kept.forEach(progress::handedOut);
        return kept;
    }

    /** The broker has handed out what is before the position: it is no longer the log that the range was taken from. */
    void wentBack(TopicPartition partition) {
        end(
                ReplayState.FAILED,
                "the offsets of " + partition + " have gone back: its topic was deleted and created again, or has lost"
                        + " records. Start another run over what is there now");
    }

    /** The log may have become shorter than the range; then there is nothing to wait for. */
    void nothingCame(Map<TopicPartition, Long> positions, Consumer<?, ?> consumer) {
        if (System.nanoTime() - lastCame < PATIENCE) {
            return;
        }
        lastCame = System.nanoTime();
        Map<TopicPartition, Long> ends = consumer.endOffsets(positions.keySet());
        positions.forEach((partition, position) -> {
            if (position < end(partition) && ends.getOrDefault(partition, Long.MAX_VALUE) < position) {
                wentBack(partition);
            }
        });
    }

    private void end(ReplayState state, @Nullable String reason) {
        if (!over) {
            over = true;
            events.ended(state, reason);
        }
    }

    /** Who hears of it; on the consumer's thread, which must not wait for the container to stop. */
    interface Events {

        /** Something may be settled. */
        void settled();

        /** The run is over. */
        void ended(ReplayState state, @Nullable String reason);
    }
}
