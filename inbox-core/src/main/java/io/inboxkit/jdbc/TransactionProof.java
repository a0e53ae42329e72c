package io.inboxkit.jdbc;

import io.inboxkit.InboxConfigurationException;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Proves that what is written through a {@code DataSource} takes part in the transactions of a manager. */
final class TransactionProof {

    private TransactionProof() {}

    static void check(DataSource dataSource, PlatformTransactionManager manager) {
        DefaultTransactionDefinition definition = new DefaultTransactionDefinition();
        definition.setPropagationBehavior(DefaultTransactionDefinition.PROPAGATION_REQUIRES_NEW);
        TransactionStatus status = manager.getTransaction(definition);
        boolean bound;
        try {
            bound = TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder;
        } finally {
            manager.rollback(status);
        }
        if (!bound) {
            throw new InboxConfigurationException(
                    "The transaction manager " + manager + " does not bind connections of the inbox's DataSource "
                            + dataSource
                            + " to the thread, so the id of a message and its effect would not be committed together",
                    "Give the inbox a transaction manager of this DataSource, such as a JdbcTransactionManager, or a "
                            + "JpaTransactionManager that knows the DataSource");
        }
    }
}
