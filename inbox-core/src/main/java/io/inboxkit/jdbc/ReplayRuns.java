package io.inboxkit.jdbc;

import io.inboxkit.Inbox;
import io.inboxkit.InboxMessage;
import io.inboxkit.InboxObserver;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The replays that are recorded in the database of an inbox. Each call is a short transaction of its own. Thread-safe.
 *
 * <p>A run has one owner at a time: a random id, which is the owner as long as its last sign of life is not older than
 * {@link #SILENCE}, by the clock of the database.
 */
public final class ReplayRuns {

    /** How long an owner may be silent before another one takes its place. */
    public static final Duration SILENCE = Duration.ofSeconds(15);

    private static final int FORGET_BATCH = 5000;

    private final JdbcInbox inbox;
    private final JdbcInboxBuilder builder;
    private final Claiming claiming;
    private final ConsumerIds consumers;
    private final OpenMessages open;
    private final ReplaySql sql;
    private final JdbcClient jdbc;
    private final JdbcTemplate template;
    private final TransactionTemplate transactions;

    ReplayRuns(JdbcInbox inbox, JdbcInboxBuilder builder, Claiming claiming, ConsumerIds consumers, OpenMessages open) {
        this.inbox = inbox;
        this.builder = builder;
        this.claiming = claiming;
        this.consumers = consumers;
        this.open = open;
        this.sql = new ReplaySql(builder.tables);
        this.jdbc = JdbcClient.create(builder.dataSource);
        this.template = new JdbcTemplate(builder.dataSource);
        this.transactions = new TransactionTemplate(builder.transactionManager);
        transactions.setPropagationBehavior(TransactionTemplate.PROPAGATION_REQUIRES_NEW);
    }

    /**
     * Records a run, owned and running.
     *
     * @return whether it is recorded; otherwise there is one of its name
     */
    public boolean create(ReplayRow run, Collection<ReplayPartitionRow> partitions, UUID owner) {
        return inTransaction(() -> {
            Optional<Integer> id = jdbc.sql(sql.create)
                    .param("name", run.name())
                    .param("listener", run.listener())
                    .param("mode", run.mode())
                    .param("deadLetters", run.deadLetters())
                    .param("onFailure", run.onFailure())
                    .param("rate", run.rate())
                    .param("owner", owner)
                    .query(Integer.class)
                    .optional();
            id.ifPresent(replay -> partitions.forEach(partition -> add(replay, partition)));
            return id.isPresent();
        });
    }

    private void add(int replay, ReplayPartitionRow partition) {
        UUID topicId = partition.topicId();
        jdbc.sql(sql.addPartition)
                .param("replay", replay)
                .param("topic", partition.topic())
                .param("partition", partition.partition())
                .param("topicId", topicId == null ? null : topicId.toString())
                .param("from", partition.from())
                .param("end", partition.end())
                .update();
    }

    public Optional<ReplayRow> find(String name) {
        return inTransaction(() -> jdbc.sql(sql.find)
                .param("silence", SILENCE.toSeconds())
                .param("name", name)
                .query((row, number) -> readRun(row))
                .optional());
    }

    /** All runs, the oldest first. */
    public List<ReplayRow> list() {
        return inTransaction(() -> jdbc.sql(sql.list)
                .param("silence", SILENCE.toSeconds())
                .query((row, number) -> readRun(row))
                .list());
    }

    public List<ReplayPartitionRow> partitions(int replay) {
        return inTransaction(() -> jdbc.sql(sql.partitions)
                .param("replay", replay)
                .query((row, number) -> readPartition(row))
                .list());
    }

    /** The first failures, by position. */
    public List<ReplayFailureRow> failures(int replay, int limit) {
        return inTransaction(() -> jdbc.sql(sql.failures)
                .param("replay", replay)
                .param("limit", limit)
                .query((row, number) -> new ReplayFailureRow(
                        row.getString("topic"),
                        row.getInt("topic_partition"),
                        row.getLong("topic_offset"),
                        row.getString("reason")))
                .list());
    }

    /**
     * Makes somebody the owner of a run that is running and that nobody works on.
     *
     * @param stopped whether a run that was stopped or has failed is taken as well
     * @return whether it is theirs now
     */
    public boolean take(String name, UUID owner, boolean stopped) {
        return inTransaction(() -> jdbc.sql(sql.take)
                        .param("owner", owner)
                        .param("silence", SILENCE.toSeconds())
                        .param("name", name)
                        .param("stopped", stopped)
                        .update()
                == 1);
    }

    /** Names of the runs that nobody works on, although nobody has stopped them. */
    public List<String> abandoned() {
        return inTransaction(() -> jdbc.sql(sql.abandoned)
                .param("silence", SILENCE.toSeconds())
                .query(String.class)
                .list());
    }

    /** A sign of life, and what is asked of the owner. */
    public Wish beat(int replay, UUID owner) {
        return inTransaction(() -> jdbc.sql(sql.beat)
                .param("replay", replay)
                .param("owner", owner)
                .query(Boolean.class)
                .optional()
                .map(stop -> stop ? Wish.STOP : Wish.GO_ON)
                .orElse(Wish.LET_GO));
    }

    /**
     * Notes how far a run has come.
     *
     * @param failures those that are new
     * @return whether it is noted; otherwise somebody else is the owner now
     */
    public boolean save(
            int replay,
            UUID owner,
            ReplayRow.Counts counts,
            Collection<ReplayPartitionRow> partitions,
            Collection<ReplayFailureRow> failures) {
        return inTransaction(() -> {
            boolean owned = jdbc.sql(sql.save)
                            .param("handled", counts.handled())
                            .param("skipped", counts.skipped())
                            .param("stale", counts.stale())
                            .param("failed", counts.failed())
                            .param("replay", replay)
                            .param("owner", owner)
                            .update()
                    == 1;
            if (owned) {
                partitions.forEach(partition -> save(replay, partition));
                failures.forEach(failure -> save(replay, failure));
            }
            return owned;
        });
    }

    private void save(int replay, ReplayPartitionRow partition) {
        ReplayPartitionRow.Counts counts = partition.counts();
        jdbc.sql(sql.savePartition)
                .param("next", partition.next())
                .param("processed", counts.processed())
                .param("open", counts.open())
                .param("missing", counts.missing())
                .param("belowFloor", counts.belowFloor())
                .param("withoutId", counts.withoutId())
                .param("foreignRecords", counts.foreign())
                .param("replay", replay)
                .param("topic", partition.topic())
                .param("partition", partition.partition())
                .update();
    }

    private void save(int replay, ReplayFailureRow failure) {
        jdbc.sql(sql.addFailure)
                .param("replay", replay)
                .param("topic", failure.topic())
                .param("partition", failure.partition())
                .param("offset", failure.offset())
                .param("reason", failure.reason())
                .update();
    }

    /**
     * Ends the work of an owner.
     *
     * @param state what the run is now; if it is still running, the next one may take it
     * @return whether that is noted; otherwise somebody else is the owner now
     */
    public boolean end(int replay, UUID owner, String state, @Nullable String reason) {
        return inTransaction(() -> jdbc.sql(sql.end)
                        .param("state", state)
                        .param("reason", reason)
                        .param("replay", replay)
                        .param("owner", owner)
                        .update()
                == 1);
    }

    /** Asks for the end of a running run; whether there is one of this name. */
    public boolean requestStop(String name) {
        return inTransaction(() -> jdbc.sql(sql.stop)
                        .param("silence", SILENCE.toSeconds())
                        .param("name", name)
                        .update()
                == 1);
    }

    /** Deletes what tells the handled messages of a run from the others; only when it is complete. */
    public void forgetHandled(int replay) {
        int deleted;
        do {
            deleted = inTransaction(() -> jdbc.sql(sql.forgetHandled)
                    .param("replay", replay)
                    .param("limit", FORGET_BATCH)
                    .update());
        } while (deleted == FORGET_BATCH);
    }

    /** What is known of messages, in their order, without claiming any. */
    public List<ReplayLookup.Answer> lookUp(List<InboxMessage> messages) {
        ReplayLookup lookup = new ReplayLookup(sql);
        return inTransaction(() -> template.execute(
                (ConnectionCallback<List<ReplayLookup.Answer>>) connection -> lookup.find(connection, messages)));
    }

    /**
     * The inbox for the records of a run that skips what was processed.
     *
     * @param observer makes the run's observer of the inbox's own
     */
    public Inbox skippingProcessed(UnaryOperator<InboxObserver> observer) {
        return with(claiming, observer);
    }

    /** The inbox for the records of a run in which each message is handled once, whatever was before. */
    public Inbox reprocessing(int replay, UUID owner, UnaryOperator<InboxObserver> observer) {
        return with(new ReplayClaims(claiming, sql, replay, owner, builder.claimTimeout), observer);
    }

    private Inbox with(Claiming otherClaiming, UnaryOperator<InboxObserver> observer) {
        InboxTransactions own =
                new InboxTransactions(builder, otherClaiming, consumers, open, observer.apply(builder.observer));
        return new ReplayInbox(inbox, own, builder.defaults);
    }

    private <R> R inTransaction(Supplier<R> work) {
        return Objects.requireNonNull(transactions.execute(status -> work.get()));
    }

    private static ReplayRow readRun(ResultSet row) throws SQLException {
        return new ReplayRow(
                row.getInt("id"),
                row.getString("name"),
                row.getString("listener"),
                row.getString("mode"),
                row.getBoolean("dead_letters"),
                row.getString("on_failure"),
                row.getObject("rate", Integer.class),
                row.getString("state"),
                row.getBoolean("owned"),
                row.getString("reason"),
                row.getObject("started_at", OffsetDateTime.class).toInstant(),
                instant(row.getObject("ended_at", OffsetDateTime.class)),
                new ReplayRow.Counts(
                        row.getLong("handled"), row.getLong("skipped"), row.getLong("stale"), row.getLong("failed")));
    }

    private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
        return time == null ? null : time.toInstant();
    }

    private static ReplayPartitionRow readPartition(ResultSet row) throws SQLException {
        return new ReplayPartitionRow(
                row.getString("topic"),
                row.getInt("topic_partition"),
                row.getObject("topic_id", UUID.class),
                row.getLong("from_offset"),
                row.getLong("end_offset"),
                row.getLong("next_offset"),
                new ReplayPartitionRow.Counts(
                        row.getLong("processed"),
                        row.getLong("open"),
                        row.getLong("missing"),
                        row.getLong("below_floor"),
                        row.getLong("without_id"),
                        row.getLong("foreign_records")));
    }

    /** What is asked of the owner of a run. */
    public enum Wish {
        GO_ON,
        STOP,
        /** Somebody else is the owner. */
        LET_GO
    }
}
