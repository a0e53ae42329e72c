package io.inboxkit.outbox.jdbc;

import io.inboxkit.outbox.OutboxTransactionException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Refuses to write anywhere but in an open, writable transaction of the outbox's {@code DataSource}. Thread-safe. */
final class WritableTransaction {

    private final DataSource dataSource;
    private final EndedTransactions ended;

    WritableTransaction(DataSource dataSource, PlatformTransactionManager manager) {
        this.dataSource = dataSource;
        this.ended = EndedTransactions.of(dataSource, manager);
    }

    void require() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new OutboxTransactionException(
                    "A message was to be published outside a transaction",
                    "Call Outbox.publish in the @Transactional method that writes the business data");
        }
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            throw committed();
        }
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw new OutboxTransactionException(
                    "A message was to be published in a read-only transaction",
                    "Remove readOnly = true from the @Transactional method that publishes");
        }
        Object bound = TransactionSynchronizationManager.getResource(dataSource);
        if (!(bound instanceof ConnectionHolder holder)) {
            throw new OutboxTransactionException(
                    "A message was to be published in a transaction that is not one of the outbox's DataSource, so it would not "
                            + "be committed with the business data",
                    "Use the transaction manager of this DataSource for the method that publishes");
        }
        if (ended.contains(bound) && isIdle(holder.getConnection())) {
            throw committed();
        }
    }

    private static OutboxTransactionException committed() {
        return new OutboxTransactionException(
                "A message was to be published after the commit of its transaction",
                "Publish before the commit, or in a new transaction (Propagation.REQUIRES_NEW)");
    }

    /** The commit may still flush changes whose listeners publish: then the transaction is open at the server. */
    private static boolean isIdle(Connection connection) {
        try {
            return !connection.isWrapperFor(BaseConnection.class)
                    || connection.unwrap(BaseConnection.class).getTransactionState() == TransactionState.IDLE;
        } catch (SQLException e) {
            throw new IllegalStateException("The state of the transaction could not be told", e);
        }
    }
}
