package io.inboxkit.jdbc;

import io.inboxkit.ClaimedMessages;
import io.inboxkit.ConsumerSettings;
import io.inboxkit.EntryState;
import io.inboxkit.Inbox;
import io.inboxkit.InboxEntry;
import io.inboxkit.InboxMessage;
import io.inboxkit.MaskedId;
import io.inboxkit.MessageId;
import io.inboxkit.Outcome;
import io.inboxkit.ThrowingConsumer;
import io.inboxkit.ThrowingRunnable;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The inbox in a PostgreSQL database, on the application's own {@code DataSource} and transaction manager.
 *
 * <p>A new message costs two round trips, claim and commit; a duplicate costs two, claim and a look at what is known of it. The first message of a
 * consumer that was not {@linkplain #register registered} costs a short transaction more. Thread-safe.
 */
public final class JdbcInbox implements Inbox {

    private static final Logger AUDIT = LoggerFactory.getLogger("io.inboxkit.audit");

    private final DataSource dataSource;
    private final PlatformTransactionManager transactionManager;
    private final InboxTables tables;
    private final InboxSql sql;
    private final PositionSql positionSql;
    private final JdbcClient jdbc;
    private final ConsumerIds consumers;
    private final InboxTransactions transactions;
    private final ConsumerSettings defaults;
    private final boolean logMessageIds;

    JdbcInbox(JdbcInboxBuilder builder) {
        dataSource = builder.dataSource;
        transactionManager = builder.transactionManager;
        tables = builder.tables;
        sql = new InboxSql(tables);
        positionSql = new PositionSql(tables);
        jdbc = JdbcClient.create(dataSource);
        defaults = builder.defaults;
        logMessageIds = builder.logMessageIds;
        consumers = new ConsumerIds(jdbc, sql, transactionManager, defaults.retention());
        transactions = new InboxTransactions(
                builder,
                new Claims(sql, builder.claimTimeout),
                new PositionClaims(positionSql, builder.claimTimeout),
                consumers);
    }

    /**
     * Builds an inbox on a {@code DataSource} and the transaction manager that binds its connections.
     *
     * @param dataSource the one that the handlers write through
     * @param transactionManager one that binds connections of this very {@code DataSource} to the thread
     */
    public static JdbcInboxBuilder builder(DataSource dataSource, PlatformTransactionManager transactionManager) {
        return new JdbcInboxBuilder(dataSource, transactionManager);
    }

    /** The {@code DataSource} whose transactions the claims are part of. */
    public DataSource dataSource() {
        return dataSource;
    }

    /** The transaction manager that begins and ends them. */
    public PlatformTransactionManager transactionManager() {
        return transactionManager;
    }

    @Override
    public void register(String consumer, ConsumerSettings settings) {
        consumers.register(consumer, settings.retention());
    }

    @Override
    public Outcome process(InboxMessage message, ThrowingRunnable work) {
        return process(message, defaults, work);
    }

    @Override
    public Outcome process(InboxMessage message, ConsumerSettings settings, ThrowingRunnable work) {
        return transactions.process(message, settings, work);
    }

    @Override
    public int processAll(List<InboxMessage> messages, ThrowingConsumer<List<InboxMessage>> work) {
        return transactions.processAll(messages, defaults, work);
    }

    @Override
    public int processAll(
            List<InboxMessage> messages, ConsumerSettings settings, ThrowingConsumer<ClaimedMessages> work) {
        return transactions.processClaimed(messages, settings, work);
    }

    @Override
    public Optional<InboxEntry> find(String consumer, @Nullable String scope, String id) {
        return jdbc.sql(sql.findByName)
                .param("consumer", consumer)
                .param("key", key(scope, id))
                .query((row, number) -> new InboxEntry(
                        EntryState.PROCESSED,
                        row.getObject("processed_at", OffsetDateTime.class).toInstant(),
                        KnownMessage.readPosition(row)))
                .optional();
    }

    @Override
    public boolean forget(String consumer, @Nullable String scope, String id) {
        boolean known = update(jdbc.sql(sql.forget).param("consumer", consumer).param("key", key(scope, id))) > 0;
        AUDIT.info(
                "forget: consumer '{}', message {}: {}",
                consumer,
                logMessageIds ? MaskedId.unmasked(id) : MaskedId.of(id),
                known ? "forgotten, its next delivery will be processed" : "was not known");
        return known;
    }

    @Override
    public void rename(String oldName, String newName) {
        int renamed;
        try {
            renamed = update(jdbc.sql(sql.rename).param("oldName", oldName).param("newName", newName));
        } catch (DuplicateKeyException e) {
            throw new IllegalArgumentException(
                    "The consumer '" + oldName + "' cannot be renamed: there is a consumer '" + newName
                            + "' already. Retire the one that is not in use first",
                    e);
        }
        if (renamed == 0) {
            throw new IllegalArgumentException(
                    "The consumer '" + oldName + "' cannot be renamed to '" + newName + "': there is no such consumer");
        }
        AUDIT.info("rename: consumer '{}' is now '{}'", oldName, newName);
    }

    @Override
    public boolean retire(String consumer) {
        Optional<Integer> id = jdbc.sql(sql.consumerId)
                .param("name", consumer)
                .query(Integer.class)
                .optional();
        if (id.isEmpty()) {
            return false;
        }
        long messages = 0;
        int deleted;
        do {
            deleted = update(jdbc.sql(sql.purgeRetired)
                    .param("consumer", id.get())
                    .param("limit", InboxPurge.DEFAULT_BATCH_SIZE));
            messages += deleted;
        } while (deleted > 0);
        update(jdbc.sql(positionSql.retire).param("consumer", id.get()));
        update(jdbc.sql(sql.retire).param("consumer", id.get()));
        consumers.evict(consumer);
        AUDIT.info("retire: consumer '{}' is removed with {} ids", consumer, messages);
        return true;
    }

    List<String> consumerNames() {
        return jdbc.sql(sql.consumers).query(String.class).list();
    }

    /** Deletes one batch of old ids of a consumer, unless another instance does, and gives their number. */
    int purge(String consumer, Duration margin, int batchSize) {
        Integer deleted = new TransactionTemplate(transactionManager).execute(status -> {
            Optional<Integer> id = jdbc.sql(sql.lockForPurge)
                    .param("name", consumer)
                    .query(Integer.class)
                    .optional();
            return id.isEmpty()
                    ? 0
                    : jdbc.sql(sql.purge)
                            .param("consumer", id.get())
                            .param("margin", margin.toMillis() / 1000.0)
                            .param("limit", batchSize)
                            .update();
        });
        return deleted == null ? 0 : deleted;
    }

    /** In a transaction, the open one if there is one: a pool with auto-commit off would roll the statement back. */
    private int update(JdbcClient.StatementSpec statement) {
        Integer updated = new TransactionTemplate(transactionManager).execute(status -> statement.update());
        return updated == null ? 0 : updated;
    }

    private static UUID key(@Nullable String scope, String id) {
        return MessageKey.of(scope, MessageId.ofText(id).value());
    }

    @Override
    public String toString() {
        return "inbox in table " + tables.message();
    }
}
