package io.inboxkit.kafka;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.support.Acknowledgment;

/**
 * What a handler gets in place of the container's acknowledgment, for one attempt of one transaction: an acknowledgement
 * waits for the commit, and does not happen after a rollback. Thread-safe, since handlers may hand it on.
 */
final class DeferredAcknowledgment implements Acknowledgment {

    private static final Logger LOG = LoggerFactory.getLogger("io.inboxkit.kafka");

    private final ReentrantLock lock = new ReentrantLock();
    private final Acknowledgment real;
    private final String position;
    private final Thread consumerThread = Thread.currentThread();
    private Phase phase = Phase.OPEN;
    private boolean acknowledged;
    private @Nullable Duration nack;

    /**
     * @param position where the record stands, for messages
     */
    DeferredAcknowledgment(Acknowledgment real, String position) {
        this.real = real;
        this.position = position;
    }

    @Override
    public void acknowledge() {
        boolean passOn;
        lock.lock();
        try {
            if (phase == Phase.ROLLED_BACK) {
                LOG.warn(
                        "An acknowledgement of {} is dropped: it came after the transaction of that delivery was rolled"
                                + " back. Acknowledge in the handler, on its own thread",
                        position);
            }
            passOn = phase == Phase.COMMITTED && !acknowledged;
            acknowledged = true;
        } finally {
            lock.unlock();
        }
        // Outside the lock: it may go to the broker.
        if (passOn) {
            real.acknowledge();
        }
    }

    @Override
    public void nack(Duration sleep) {
        lock.lock();
        try {
            if (phase == Phase.OPEN) {
                if (Thread.currentThread() != consumerThread) {
                    throw new IllegalStateException("nack() can only be called on the consumer thread");
                }
                if (sleep.isNegative()) {
                    throw new IllegalArgumentException("The sleep of nack() must not be negative, but is " + sleep);
                }
                nack = sleep;
                return;
            }
        } finally {
            lock.unlock();
        }
        real.nack(sleep);
    }

    @Override
    public void acknowledge(int index) {
        real.acknowledge(index);
    }

    @Override
    public void nack(int index, Duration sleep) {
        real.nack(index, sleep);
    }

    @Override
    public boolean isOutOfOrderCommit() {
        return real.isOutOfOrderCommit();
    }

    /** For how long the handler wants the delivery to be put off, or {@code null} if it does not. */
    @Nullable
    Duration nacked() {
        return nack;
    }

    /** The transaction was committed: what the handler acknowledged is acknowledged now, what comes later at once. */
    void committed() {
        if (end(Phase.COMMITTED)) {
            real.acknowledge();
        }
    }

    /** The transaction was rolled back: nothing is acknowledged, now or later. */
    void rolledBack() {
        end(Phase.ROLLED_BACK);
    }

    private boolean end(Phase end) {
        lock.lock();
        try {
            boolean first = phase == Phase.OPEN;
            phase = first ? end : phase;
            return first && acknowledged;
        } finally {
            lock.unlock();
        }
    }

    private enum Phase {
        OPEN,
        COMMITTED,
        ROLLED_BACK
    }
}
