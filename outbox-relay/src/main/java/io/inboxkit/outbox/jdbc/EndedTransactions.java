package io.inboxkit.outbox.jdbc;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Knows transactions whose commit has begun. Spring keeps all that tells of a transaction in place while the callbacks after
 * the commit run, and what is written then would never be committed, or apart from the business data. Thread-safe.
 */
final class EndedTransactions implements TransactionExecutionListener {

    private final DataSource dataSource;

    /** By what is bound for them, since another transaction may be begun and ended by such a callback. */
    private final ThreadLocal<Set<Object>> ended =
            ThreadLocal.withInitial(() -> Collections.newSetFromMap(new IdentityHashMap<>()));

    private EndedTransactions(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    static EndedTransactions of(DataSource dataSource, PlatformTransactionManager manager) {
        EndedTransactions listener = new EndedTransactions(dataSource);
        if (manager instanceof ConfigurableTransactionManager configurable) {
            configurable.addListener(listener);
        }
        return listener;
    }

    /** Whether the commit of the transaction that the thread is in has begun; it may still be flushing changes. */
    boolean contains(@Nullable Object bound) {
        return bound != null && ended.get().contains(bound);
    }

    @Override
    public void beforeCommit(TransactionExecution transaction) {
        // The release of a savepoint is announced in the same way.
        if (!transaction.isNested()) {
            Object bound = TransactionSynchronizationManager.getResource(dataSource);
            if (bound != null) {
                ended.get().add(bound);
            }
        }
    }

    @Override
    public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
        forget();
    }

    @Override
    public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
        forget();
    }

    private void forget() {
        Object bound = TransactionSynchronizationManager.getResource(dataSource);
        if (bound != null && ended.get().remove(bound) && ended.get().isEmpty()) {
            ended.remove();
        }
    }
}
