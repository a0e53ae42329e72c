package io.inboxkit.jdbc;

import io.inboxkit.ClaimedMessages;
import io.inboxkit.ConsumerSettings;
import io.inboxkit.ConsumerStatus;
import io.inboxkit.EntryState;
import io.inboxkit.Inbox;
import io.inboxkit.InboxEntry;
import io.inboxkit.InboxMessage;
import io.inboxkit.LiveConsumers;
import io.inboxkit.MaskedId;
import io.inboxkit.MessageId;
import io.inboxkit.Outcome;
import io.inboxkit.Position;
import io.inboxkit.StaleAction;
import io.inboxkit.ThrowingConsumer;
import io.inboxkit.ThrowingRunnable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntConsumer;
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

    /** After a longer silence than that, two beats are no longer taken for one life: one beat may be missed. */
    private static final Duration LONGEST_GAP = Duration.ofSeconds(150);

    private final DataSource dataSource;
    private final PlatformTransactionManager transactionManager;
    private final InboxTables tables;
    private final InboxSql sql;
    private final PositionSql positionSql;
    private final ConsumerSql consumerSql;
    private final RetentionSql retentionSql;
    private final JdbcClient jdbc;
    private final OpenMessages open;
    private final Retention retention;
    private final LiveConsumers liveConsumers;
    private final ConsumerIds consumers;
    private final InboxTransactions transactions;
    private final ReplayRuns replays;
    private final ConsumerSettings defaults;
    private final boolean logMessageIds;

    JdbcInbox(JdbcInboxBuilder builder) {
        dataSource = builder.dataSource;
        transactionManager = builder.transactionManager;
        tables = builder.tables;
        sql = new InboxSql(tables, builder.staleAction != StaleAction.PROCESS);
        positionSql = new PositionSql(tables);
        consumerSql = new ConsumerSql(tables);
        retentionSql = new RetentionSql(tables);
        jdbc = JdbcClient.create(dataSource);
        defaults = builder.defaults;
        logMessageIds = builder.logMessageIds;
        consumers = new ConsumerIds(jdbc, sql, transactionManager, defaults.retention());
        open = new OpenMessages(builder, retentionSql, consumers);
        Claiming claiming = new OrdinaryClaims(
                new Claims(sql, open, builder.claimTimeout), new PositionClaims(positionSql, builder.claimTimeout));
        transactions = new InboxTransactions(builder, claiming, consumers, open, builder.observer);
        replays = new ReplayRuns(this, builder, claiming, consumers, open);
        retention = new Retention(jdbc, retentionSql, transactionManager);
        liveConsumers = builder.liveConsumers;
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
    public void leaveOpen(List<InboxMessage> messages, Throwable reason) {
        open.keep(messages, reason);
    }

    @Override
    public Optional<InboxEntry> find(String consumer, @Nullable String scope, String id) {
        return message(consumerSql.find, consumer, scope, id)
                .query((row, number) -> {
                    OffsetDateTime at = row.getObject("processed_at", OffsetDateTime.class);
                    return new InboxEntry(
                            at == null ? EntryState.OPEN : EntryState.PROCESSED,
                            at == null ? null : at.toInstant(),
                            KnownMessage.readPosition(row));
                })
                .list()
                .stream()
                .findFirst();
    }

    @Override
    public boolean forget(String consumer, @Nullable String scope, String id) {
        boolean known = update(message(consumerSql.forget, consumer, scope, id)) > 0;
        audit("forget", consumer, id, known ? "forgotten, its next delivery will be processed" : "was not known");
        return known;
    }

    @Override
    public boolean discard(String consumer, @Nullable String scope, String id) {
        boolean known = update(message(consumerSql.discard, consumer, scope, id)) > 0;
        audit("discard", consumer, id, known ? "given up" : "was not open");
        return known;
    }

    @Override
    public boolean discard(String consumer, Position position) {
        boolean known = update(jdbc.sql(consumerSql.discardPosition)
                        .param("consumer", consumer)
                        .param("source", position.source())
                        .param("partition", position.partition())
                        .param("offset", position.offset()))
                > 0;
        AUDIT.info(
                "discard: consumer '{}', message at {}: {}", consumer, position, known ? "given up" : "was not open");
        return known;
    }

    @Override
    public List<ConsumerStatus> consumers() {
        return jdbc.sql(consumerSql.status)
                .query((row, number) -> new ConsumerStatus(
                        row.getString("name"),
                        Duration.ofMillis(Math.round(row.getDouble("retention") * 1000)),
                        row.getLong("messages"),
                        instant(row, "oldest"),
                        instant(row, "alive_at"),
                        row.getBoolean("silent"),
                        instant(row, "purged_at")))
                .list();
    }

    @Override
    public void rename(String oldName, String newName) {
        int renamed;
        try {
            renamed = update(
                    jdbc.sql(consumerSql.rename).param("oldName", oldName).param("newName", newName));
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
        Optional<Integer> id = Objects.requireNonNull(
                new TransactionTemplate(transactionManager).execute(status -> retireRow(consumer)));
        if (id.isEmpty()) {
            return false;
        }
        consumers.evict(consumer);
        AUDIT.info("retire: consumer '{}' is removed with {} ids", consumer, purgeRetired(id.get()));
        return true;
    }

    /** First the consumer, so that nothing new is claimed for it; also when this process dies before the ids are deleted. */
    private Optional<Integer> retireRow(String consumer) {
        Optional<Integer> id = jdbc.sql(sql.consumerId)
                .param("name", consumer)
                .query(Integer.class)
                .optional();
        if (id.isEmpty()
                || jdbc.sql(consumerSql.retire).param("consumer", id.get()).update() == 0) {
            return Optional.empty();
        }
        for (String statement : List.of(
                consumerSql.retireOpen, consumerSql.retireFloors, consumerSql.retireAlive, positionSql.retire)) {
            jdbc.sql(statement).param("consumer", id.get()).update();
        }
        return id;
    }

    private long purgeRetired(int id) {
        long messages = 0;
        int deleted;
        do {
            deleted = update(jdbc.sql(consumerSql.purgeRetired)
                    .param("consumer", id)
                    .param("limit", InboxPurge.DEFAULT_BATCH_SIZE));
            messages += deleted;
        } while (deleted > 0);
        return messages;
    }

    /** Deletes ids that were claimed while their consumer was being retired. */
    void purgeRetired() {
        jdbc.sql(consumerSql.retired).query(Integer.class).list().forEach(this::purgeRetired);
    }

    /** The replays that are recorded beside this inbox. */
    public ReplayRuns replays() {
        return replays;
    }

    List<String> consumerNames() {
        return jdbc.sql(consumerSql.names).query(String.class).list();
    }

    /**
     * Notes that the consumers which this process uses are alive, as far as they are, and what could not be noted of open
     * messages.
     */
    void beat() {
        open.keepUnnoted();
        consumers.used().forEach((name, id) -> {
            if (liveConsumers.isAlive(name)) {
                update(jdbc.sql(retentionSql.beat).param("consumer", id).param("gap", LONGEST_GAP.toMillis() / 1000.0));
            }
        });
    }

    void purge(String consumer, InboxPurge.Settings settings, IntConsumer purged) {
        retention.purge(consumer, settings, purged);
    }

    private JdbcClient.StatementSpec message(String statement, String consumer, @Nullable String scope, String id) {
        return jdbc.sql(statement)
                .param("consumer", consumer)
                .param("key", key(scope, id))
                .param("scope", scope, Types.VARCHAR)
                .param("id", MessageId.ofText(id).value());
    }

    private void audit(String action, String consumer, String id, String result) {
        AUDIT.info(
                "{}: consumer '{}', message {}: {}",
                action,
                consumer,
                logMessageIds ? MaskedId.unmasked(id) : MaskedId.of(id),
                result);
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
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
