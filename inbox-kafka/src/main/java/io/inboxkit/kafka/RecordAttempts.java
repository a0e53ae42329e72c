package io.inboxkit.kafka;

import io.inboxkit.ThrowingRunnable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Calls the handler of one delivery, each time with an acknowledgment that waits for the commit of the transaction that is
 * open at that moment: the inbox's own, or an outer one that it has joined. Confined to the consumer's thread.
 */
final class RecordAttempts implements ThrowingRunnable {

    private final RecordDelivery delivery;
    private @Nullable Attempt current;
    private boolean returned;

    RecordAttempts(RecordDelivery delivery) {
        this.delivery = delivery;
    }

    @Override
    public void run() throws Throwable {
        rolledBack();
        Acknowledgment real = delivery.acknowledgment();
        if (real == null) {
            delivery.call(null);
            return;
        }
        Attempt attempt = new Attempt(new DeferredAcknowledgment(real, delivery.position()));
        current = attempt;
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(attempt);
        } else {
            attempt.committed = true;
        }
        delivery.call(attempt.acknowledgment);
        Duration sleep = attempt.acknowledgment.nacked();
        if (sleep != null) {
            throw new NackRequest(real, sleep);
        }
        if (delivery.isAcknowledgedOnReturn()) {
            attempt.acknowledgment.acknowledge();
        }
    }

    /** The inbox has given the last attempt up. */
    void rolledBack() {
        if (current != null) {
            current.acknowledgment.rolledBack();
        }
    }

    /** The inbox has returned: its own transaction is committed, one that it has joined is not yet. */
    void returned() {
        returned = true;
        if (current != null && current.committed) {
            current.acknowledgment.committed();
        }
    }

    private final class Attempt implements TransactionSynchronization {

        private final DeferredAcknowledgment acknowledgment;
        private boolean committed;

        Attempt(DeferredAcknowledgment acknowledgment) {
            this.acknowledgment = acknowledgment;
        }

        @Override
        public void afterCommit() {
            committed = true;
            // Not from inside the inbox, which would take a failure to acknowledge for one of its transaction.
            if (returned) {
                acknowledgment.committed();
            }
        }

        @Override
        public void afterCompletion(int status) {
            if (status != STATUS_COMMITTED) {
                acknowledgment.rolledBack();
            }
        }
    }
}
