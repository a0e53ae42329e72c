package io.inboxkit.outbox.jdbc;

import io.inboxkit.outbox.MessageForm;
import io.inboxkit.outbox.Outbox;
import io.inboxkit.outbox.OutboxMessage;
import io.inboxkit.outbox.StoredMessage;
import io.inboxkit.outbox.WakeUp;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The outbox on PostgreSQL. Thread-safe. */
public final class JdbcOutbox implements Outbox {

    private final JdbcTemplate jdbc;
    private final OutboxSql sql;
    private final MessageForm form;
    private final WakeUp wakeUp;
    private final WritableTransaction transaction;
    private final Object wakeUpKey = new Object();

    /**
     * @param dataSource where the business data and the outbox are
     * @param manager the transaction manager of the {@code DataSource}
     * @param tables the names of the tables
     * @param form gives messages the form in which they are kept
     * @param wakeUp who hears of commits
     */
    public JdbcOutbox(
            DataSource dataSource,
            PlatformTransactionManager manager,
            OutboxTables tables,
            MessageForm form,
            WakeUp wakeUp) {
        this.jdbc = new JdbcTemplate(dataSource);
        this.sql = new OutboxSql(tables);
        this.form = form;
        this.wakeUp = wakeUp;
        this.transaction = new WritableTransaction(dataSource, manager);
    }

    @Override
    public String publish(OutboxMessage message) {
        transaction.require();
        StoredMessage stored = form.of(message);
        Lane lane = Lane.of(stored.destination(), stored.key());
        jdbc.update(sql.insert, statement -> bind(statement, stored, lane));
        wakeUpAfterCommit();
        return stored.id();
    }

    @Override
    public List<String> publishAll(List<OutboxMessage> messages) {
        transaction.require();
        List<StoredMessage> stored = messages.stream().map(form::of).toList();
        if (!stored.isEmpty()) {
            jdbc.update(sql.insertAll, statement -> bind(statement, stored));
            wakeUpAfterCommit();
        }
        return stored.stream().map(StoredMessage::id).toList();
    }

    private static void bind(PreparedStatement statement, StoredMessage message, Lane lane) throws SQLException {
        statement.setObject(1, lane.number(), Types.BIGINT);
        statement.setInt(2, lane.partition());
        statement.setString(3, message.id());
        statement.setString(4, message.destination().scheme());
        statement.setString(5, message.destination().name());
        statement.setBytes(6, message.key());
        statement.setString(7, message.type());
        statement.setString(8, message.contentType());
        statement.setBytes(9, HeaderBytes.write(message.headers()));
        statement.setBytes(10, message.payload());
    }

    private static void bind(PreparedStatement statement, List<StoredMessage> messages) throws SQLException {
        List<Lane> lanes = messages.stream()
                .map(message -> Lane.of(message.destination(), message.key()))
                .toList();
        Connection connection = statement.getConnection();
        statement.setArray(
                1,
                connection.createArrayOf(
                        "int8", lanes.stream().map(Lane::number).toArray(Long[]::new)));
        statement.setArray(
                2,
                connection.createArrayOf(
                        "int2",
                        lanes.stream().map(lane -> (short) lane.partition()).toArray(Short[]::new)));
        texts(statement, 3, messages, StoredMessage::id);
        texts(statement, 4, messages, message -> message.destination().scheme());
        texts(statement, 5, messages, message -> message.destination().name());
        bytes(statement, 6, messages, StoredMessage::key);
        texts(statement, 7, messages, StoredMessage::type);
        texts(statement, 8, messages, StoredMessage::contentType);
        bytes(statement, 9, messages, message -> HeaderBytes.write(message.headers()));
        bytes(statement, 10, messages, StoredMessage::payload);
    }

    private static void texts(
            PreparedStatement statement,
            int index,
            List<StoredMessage> messages,
            Function<StoredMessage, @Nullable String> column)
            throws SQLException {
        @Nullable String[] values = messages.stream().map(column).toArray(String[]::new);
        statement.setArray(index, statement.getConnection().createArrayOf("text", values));
    }

    private static void bytes(
            PreparedStatement statement,
            int index,
            List<StoredMessage> messages,
            Function<StoredMessage, byte @Nullable []> column)
            throws SQLException {
        byte @Nullable [][] values = messages.stream().map(column).toArray(byte[][]::new);
        statement.setArray(index, statement.getConnection().createArrayOf("bytea", values));
    }

    /** Once per transaction; suspended with it where another one is begun inside. */
    private void wakeUpAfterCommit() {
        if (TransactionSynchronizationManager.hasResource(wakeUpKey)) {
            return;
        }
        TransactionSynchronizationManager.bindResource(wakeUpKey, wakeUp);
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void suspend() {
                TransactionSynchronizationManager.unbindResource(wakeUpKey);
            }

            @Override
            public void resume() {
                TransactionSynchronizationManager.bindResource(wakeUpKey, wakeUp);
            }

            @Override
            public void afterCompletion(int status) {
                TransactionSynchronizationManager.unbindResource(wakeUpKey);
                // Also where it is not known whether the commit went through.
                if (status != STATUS_ROLLED_BACK) {
                    wakeUp.messagesCommitted();
                }
            }
        });
    }
}
