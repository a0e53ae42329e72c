package io.inboxkit.jdbc;

import io.inboxkit.ConsumerSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** One transaction of the inbox: its own, or its part in an outer one. */
final class InboxTransaction {

    private static final Logger LOG = LoggerFactory.getLogger(InboxTransaction.class);

    private final PlatformTransactionManager manager;
    private final TransactionStatus status;
    private final Connection connection;

    private InboxTransaction(PlatformTransactionManager manager, TransactionStatus status, Connection connection) {
        this.manager = manager;
        this.status = status;
        this.connection = connection;
    }

    /**
     * Begins a transaction, or joins the one that is open.
     *
     * @throws org.springframework.transaction.TransactionException if there is no connection, or an outer transaction that
     *     is read-only
     * @throws CannotGetJdbcConnectionException if the manager does not bind a connection of the {@code DataSource}, so
     *     that a claim would not be in the transaction
     */
    static InboxTransaction begin(
            PlatformTransactionManager manager, DataSource dataSource, ConsumerSettings settings) {
        DefaultTransactionDefinition definition = new DefaultTransactionDefinition();
        definition.setName("inbox");
        definition.setIsolationLevel(settings.isolation());
        if (settings.timeout() != null) {
            definition.setTimeout(Math.toIntExact(settings.timeout().toSeconds()));
        }
        TransactionStatus status = manager.getTransaction(definition);
        if (!status.isNewTransaction() && TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            manager.rollback(status);
            throw new IllegalTransactionStateException("The transaction that is open around the inbox is read-only, so"
                    + " nothing can be claimed in it. Begin it without readOnly, or let the inbox begin its own");
        }
        if (TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder holder) {
            return new InboxTransaction(manager, status, holder.getConnection());
        }
        manager.rollback(status);
        throw new CannotGetJdbcConnectionException("The transaction manager " + manager
                + " does not bind a connection of the inbox's DataSource " + dataSource
                + " to the thread, so the claim would not be in the transaction of the handler. "
                + "Give the inbox the transaction manager of its DataSource");
    }

    /** Whether this transaction was begun here, so that it ends here and may be tried again. */
    boolean isOwn() {
        return status.isNewTransaction();
    }

    Connection connection() {
        return connection;
    }

    /**
     * Commits, if it is {@linkplain #isOwn() own}; otherwise the outer transaction will.
     *
     * @param claimed whether something was claimed, so that a transaction must still be open
     * @throws UnexpectedRollbackException if the transaction was marked rollback-only, aborted by the database or ended by the
     *     handler; the caller rolls it back
     */
    void commit(Object what, boolean claimed) {
        String lost = status.isRollbackOnly() ? "it was marked rollback-only" : lostInDatabase(claimed);
        if (lost != null) {
            throw new UnexpectedRollbackException("The handler of the " + what
                    + " returned normally, but its transaction cannot be committed: " + lost
                    + ". The inbox stores nothing of it; the delivery counts as failed");
        }
        manager.commit(status);
    }

    /** Ends a transaction that wrote nothing; an outer one goes on. */
    void release() {
        if (isOwn()) {
            manager.rollback(status);
        } else {
            manager.commit(status);
        }
    }

    /**
     * Rolls back, unless that is done; an outer transaction is marked rollback-only. A failure to do so is only logged: without
     * its connection the transaction is rolled back anyway.
     */
    void rollback() {
        if (!status.isCompleted()) {
            try {
                manager.rollback(status);
            } catch (RuntimeException e) {
                LOG.debug("A rollback has failed, so the connection is closed, which rolls back as well", e);
            }
        }
    }

    /** Rolls back, unless that is done; an outer transaction is marked rollback-only. */
    void rollbackAfter(Throwable failure) {
        if (status.isCompleted()) {
            return;
        }
        try {
            manager.rollback(status);
        } catch (RuntimeException e) {
            // The failure is what the caller must see; without its connection the transaction is rolled back anyway.
            failure.addSuppressed(e);
        }
    }

    /**
     * PostgreSQL answers COMMIT with ROLLBACK, and no error, where a statement has failed before and its error was swallowed.
     * The driver knows that state without a round trip; where the driver cannot be reached, the server is asked.
     */
    private @Nullable String lostInDatabase(boolean claimed) {
        String aborted =
                "a statement failed in it and its error was swallowed, which aborts a transaction in PostgreSQL";
        try {
            if (connection.isWrapperFor(BaseConnection.class)) {
                TransactionState state = connection.unwrap(BaseConnection.class).getTransactionState();
                if (claimed && state == TransactionState.IDLE) {
                    return "the handler has ended it itself, by a COMMIT or ROLLBACK of its own, which a handler must leave"
                            + " to the inbox";
                }
                return state == TransactionState.FAILED ? aborted : null;
            }
            try (Statement probe = connection.createStatement()) {
                probe.execute("select 1");
            }
            return null;
        } catch (SQLException e) {
            return "25P02".equals(e.getSQLState()) ? aborted : "its connection is broken (" + e.getMessage() + ")";
        }
    }
}
