package io.inboxkit.rabbitmq;

import io.inboxkit.ThrowingRunnable;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Calls the handler of one delivery, each time with a channel whose acknowledgements wait for the commit of the transaction
 * that is open at that moment: the inbox's own, or an outer one that it has joined. Confined to the consumer's thread.
 */
final class MessageAttempts implements ThrowingRunnable {

    private final MessageDelivery delivery;
    private @Nullable Attempt current;
    private boolean returned;

    MessageAttempts(MessageDelivery delivery) {
        this.delivery = delivery;
    }

    @Override
    public void run() throws Throwable {
        rolledBack();
        Attempt attempt =
                new Attempt(new DeferredChannel(delivery.channel(), Set.of(delivery.tag()), delivery.position()));
        current = attempt;
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(attempt);
        } else {
            attempt.committed = true;
        }
        delivery.call(attempt.channel.proxy());
        if (attempt.channel.refused()) {
            throw new RefusalRequest();
        }
    }

    /** The inbox has given the last attempt up. */
    void rolledBack() {
        if (current != null) {
            current.channel.rolledBack();
        }
    }

    /** After the last attempt was rolled back: the delivery is refused, if the handler wanted that. */
    void refuse() {
        if (current != null) {
            current.channel.refuse();
        }
    }

    /** The inbox has returned: its own transaction is committed, one that it has joined is not yet. */
    void returned() {
        returned = true;
        if (current != null && current.committed) {
            current.channel.committed();
        }
    }

    private final class Attempt implements TransactionSynchronization {

        private final DeferredChannel channel;
        private boolean committed;

        Attempt(DeferredChannel channel) {
            this.channel = channel;
        }

        @Override
        public void afterCommit() {
            committed = true;
            // Not from inside the inbox, which would take a failure to acknowledge for one of its transaction.
            if (returned) {
                channel.committed();
            }
        }

        @Override
        public void afterCompletion(int status) {
            if (status != STATUS_COMMITTED) {
                channel.rolledBack();
            }
        }
    }
}
