package io.inboxkit.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Deletes the old ids of one consumer. Before ids go, floors are raised over them, and committed for the margin: a claim that
 * does not see the floor yet still sees the id. All steps are short transactions under a lock that only one instance gets.
 * Thread-safe.
 */
final class Retention {

    /** How many messages floors are raised over in one transaction. */
    private static final int STEP = 50_000;

    /** A purge that runs more often than that would leave more floors than it needs. */
    private static final int FLOORS_PER_MARGIN = 60;

    private final JdbcClient jdbc;
    private final RetentionSql sql;
    private final TransactionTemplate transactions;

    Retention(JdbcClient jdbc, RetentionSql sql, PlatformTransactionManager manager) {
        this.jdbc = jdbc;
        this.sql = sql;
        this.transactions = new TransactionTemplate(manager);
    }

    /**
     * Until when messages were processed that are to be dealt with now.
     *
     * @param flooredUntil what floors were raised over
     * @param floorsDue whether it is time to raise them
     * @param floorUntil what is older than the retention; {@code null} if nothing can be
     * @param purgeUntil what is older than retention and margin; {@code null} if nothing can be
     */
    private record Cutoffs(
            OffsetDateTime flooredUntil,
            boolean floorsDue,
            @Nullable OffsetDateTime floorUntil,
            @Nullable OffsetDateTime purgeUntil) {

        static Cutoffs read(ResultSet row, int number) throws SQLException {
            return new Cutoffs(
                    row.getObject("floored_until", OffsetDateTime.class),
                    row.getBoolean("floors_due"),
                    row.getObject("floor_until", OffsetDateTime.class),
                    row.getObject("purge_until", OffsetDateTime.class));
        }
    }

    /**
     * @param candidates how many ids were looked at
     * @param gone how many of them were deleted
     */
    private record Batch(int candidates, int gone) {

        boolean isAny() {
            return gone > 0;
        }

        static Batch read(ResultSet row, int number) throws SQLException {
            return new Batch(row.getInt("candidates"), row.getInt("gone"));
        }
    }

    /**
     * Raises floors and deletes what is old enough, unless another instance is at it.
     *
     * @param purged hears of each batch that was deleted
     */
    void purge(String consumer, InboxPurge.Settings settings, IntConsumer purged) {
        double margin = seconds(settings.margin());
        Optional<Cutoffs> found = locked(consumer, id -> {
            stamp(id);
            return jdbc.sql(sql.cutoffs)
                    .param("consumer", id)
                    .param("margin", margin)
                    .param("pause", margin / FLOORS_PER_MARGIN)
                    .query(Cutoffs::read)
                    .single();
        });
        if (found.isEmpty()) {
            return;
        }
        Cutoffs cutoffs = found.get();
        if (cutoffs.floorUntil() != null && cutoffs.floorsDue()) {
            raise(consumer, cutoffs, cutoffs.floorUntil(), settings.batchSize());
        }
        if (cutoffs.purgeUntil() != null) {
            delete(consumer, cutoffs.purgeUntil(), settings, purged);
        }
        locked(consumer, id -> jdbc.sql(sql.purged).param("consumer", id).update());
    }

    private void raise(String consumer, Cutoffs cutoffs, OffsetDateTime until, int batchSize) {
        OffsetDateTime from = cutoffs.flooredUntil();
        do {
            OffsetDateTime begin = from.isAfter(until) ? until : from;
            Optional<OffsetDateTime> end =
                    locked(consumer, id -> raiseStep(id, begin, until, cutoffs.purgeUntil(), batchSize));
            // In a transaction of its own: only now the floors are committed.
            if (end.isEmpty() || locked(consumer, this::stamp).isEmpty()) {
                return;
            }
            from = end.get();
        } while (from.isBefore(until));
    }

    private OffsetDateTime raiseStep(
            int id, OffsetDateTime from, OffsetDateTime until, @Nullable OffsetDateTime oldest, int batchSize) {
        OffsetDateTime found = jdbc.sql(sql.step)
                .param("consumer", id)
                .param("from", from)
                .param("until", until)
                .param("limit", STEP)
                .query(OffsetDateTime.class)
                .single();
        // Many messages of one moment are one step.
        OffsetDateTime end = found.isAfter(from) ? found : until;
        jdbc.sql(sql.raise)
                .param("consumer", id)
                .param("from", from)
                .param("until", end)
                .param("oldest", oldest == null ? OffsetDateTime.MIN : oldest)
                .param("limit", batchSize)
                .update();
        jdbc.sql(sql.raised).param("consumer", id).param("until", end).update();
        return end;
    }

    private Integer stamp(int id) {
        return jdbc.sql(sql.stamp).param("consumer", id).update();
    }

    private void delete(String consumer, OffsetDateTime until, InboxPurge.Settings settings, IntConsumer purged) {
        double margin = seconds(settings.margin());
        Optional<Batch> batch;
        do {
            batch = locked(consumer, id -> jdbc.sql(sql.purge)
                    .param("consumer", id)
                    .param("until", until)
                    .param("margin", margin)
                    .param("limit", settings.batchSize())
                    .query(Batch::read)
                    .single());
            batch.filter(Batch::isAny).ifPresent(deleted -> purged.accept(deleted.gone()));
        } while (batch.filter(deleted -> deleted.isAny() && deleted.candidates() == settings.batchSize())
                .isPresent());
        locked(consumer, id -> {
            jdbc.sql(sql.purgeFloors)
                    .param("consumer", id)
                    .param("margin", margin)
                    .update();
            return jdbc.sql(sql.purgeAlive)
                    .param("consumer", id)
                    .param("until", until)
                    .update();
        });
    }

    /** Runs a step in a transaction, or gives nothing if another instance is at this consumer. */
    private <T> Optional<T> locked(String consumer, Function<Integer, T> step) {
        return Objects.requireNonNull(transactions.execute(status -> jdbc.sql(sql.lock)
                .param("name", consumer)
                .query(Integer.class)
                .optional()
                .map(step)));
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }
}
