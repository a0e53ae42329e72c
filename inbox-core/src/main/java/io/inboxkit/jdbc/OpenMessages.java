package io.inboxkit.jdbc;

import io.inboxkit.InboxMessage;
import io.inboxkit.Position;
import io.inboxkit.ReusedMessageIdException;
import io.inboxkit.StaleMessageException;
import io.inboxkit.UndecidedMessageException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Notes which messages are open: they failed or were refused, and have not been processed since. In a short transaction of
 * its own after the rollback, so only failures pay for it. What the database could not take is kept in memory and tried again.
 * Thread-safe.
 */
final class OpenMessages {

    private static final int LONGEST_REASON = 1000;

    private final RetentionSql sql;
    private final ConsumerIds consumers;
    private final DataSource dataSource;
    private final JdbcTemplate jdbc;
    private final TransactionTemplate transactions;
    private final String timeout;
    private final UnnotedMessages unnoted = new UnnotedMessages();

    OpenMessages(JdbcInboxBuilder builder, RetentionSql sql, ConsumerIds consumers) {
        this.sql = sql;
        this.consumers = consumers;
        this.dataSource = builder.dataSource;
        this.jdbc = new JdbcTemplate(builder.dataSource);
        this.transactions = newTransactions(builder.transactionManager);
        this.timeout = builder.claimTimeout.toMillis() + "ms";
    }

    private static TransactionTemplate newTransactions(PlatformTransactionManager manager) {
        TransactionTemplate template = new TransactionTemplate(manager);
        template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        return template;
    }

    /**
     * One message that is open.
     *
     * @param key what it is kept under: the key under which it would be claimed, or one of its position
     */
    record OpenMessage(int consumer, UUID key, InboxMessage message, String reason) {}

    /**
     * Notes that messages failed or were refused; never throws. Where an outer transaction is open, once that has ended, over
     * its connection.
     */
    void keep(List<InboxMessage> messages, Throwable reason) {
        if (reason instanceof UndecidedMessageException || reason instanceof StaleMessageException) {
            // Says nothing about the message. One that is stale may have been processed: it must not be let in as open.
            return;
        }
        List<OpenMessage> open = new ArrayList<>();
        try {
            for (InboxMessage message : messages) {
                OpenMessage row = row(message, reason);
                if (row != null) {
                    open.add(row);
                }
            }
        } catch (DataAccessException | TransactionException e) {
            unnoted.warn(messages.size(), e);
            return;
        }
        if (open.isEmpty()) {
            return;
        }
        if (TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.hasResource(dataSource)) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int status) {
                    writeAfter(open);
                }
            });
        } else {
            write(open);
        }
    }

    /** Notes what could not be noted before. */
    void keepUnnoted() {
        List<OpenMessage> waiting = unnoted.take();
        if (!waiting.isEmpty()) {
            write(waiting);
        }
    }

    /** Deletes what is noted of a message that is now being processed, in its transaction. */
    void close(Connection connection, int consumer, UUID key, InboxMessage message) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.close)) {
            statement.setInt(1, consumer);
            statement.setObject(2, key);
            SourceParameters.bind(statement, 3, message.position());
            statement.executeUpdate();
        }
    }

    private @Nullable OpenMessage row(InboxMessage message, Throwable reason) {
        if (message.tracked() != null) {
            // Only a claim by an id could close it again.
            return null;
        }
        Position position = message.position();
        // The id of a reused one belongs to the message that was processed.
        boolean own = message.id() != null && !(reason instanceof ReusedMessageIdException);
        if (!own && position == null) {
            return null;
        }
        UUID key = own || position == null ? MessageKey.of(message) : MessageKey.of(position);
        return new OpenMessage(consumers.of(message.consumer()), key, message, text(reason));
    }

    private static String text(Throwable reason) {
        // PostgreSQL takes no text with a NUL character.
        String text = reason.toString().replace('\0', ' ');
        return text.length() <= LONGEST_REASON ? text : text.substring(0, LONGEST_REASON);
    }

    private void write(List<OpenMessage> open) {
        try {
            transactions.executeWithoutResult(
                    status -> jdbc.execute((ConnectionCallback<Integer>) connection -> write(connection, open)));
        } catch (DataAccessException | TransactionException e) {
            unnoted.add(open, e);
        }
    }

    /** The resources of a transaction are still bound when it has ended: a second connection could be one too many. */
    private void writeAfter(List<OpenMessage> open) {
        if (!(TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder holder)) {
            write(open);
            return;
        }
        try {
            Connection connection = holder.getConnection();
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            write(connection, open);
            connection.commit();
            connection.setAutoCommit(autoCommit);
        } catch (SQLException | RuntimeException e) {
            unnoted.add(open, e);
        }
    }

    private int write(Connection connection, List<OpenMessage> open) throws SQLException {
        int written = 0;
        // A message that is being processed holds the row until its end; what that end is, is noted by it.
        try (PreparedStatement bound =
                connection.prepareStatement("select set_config('lock_timeout', ?::text, true)")) {
            bound.setString(1, timeout);
            bound.execute();
        }
        try (PreparedStatement statement = connection.prepareStatement(sql.keepOpen)) {
            for (OpenMessage row : open) {
                InboxMessage message = row.message();
                statement.setObject(1, row.key());
                SourceParameters.bind(statement, 2, message.position());
                statement.setString(5, message.scope());
                statement.setString(6, message.id());
                statement.setString(7, row.reason());
                statement.setInt(8, row.consumer());
                // No row has this key if it is not the message's own.
                statement.setObject(9, row.key());
                written += statement.executeUpdate();
            }
        }
        return written;
    }
}
