package io.inboxkit.outbox.jdbc;

import io.inboxkit.outbox.Destination;
import io.inboxkit.outbox.MessageFilter;
import io.inboxkit.outbox.OutboxOperations;
import io.inboxkit.outbox.jdbc.Statements.Parameters;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What operators do with an outbox on PostgreSQL. Thread-safe. */
public final class JdbcOutboxOperations implements OutboxOperations {

    /** To count a large backlog takes a while, and several gauges ask at once. */
    private static final Duration BACKLOG_AGE = Duration.ofSeconds(2);

    private final Statements statements;
    private final OperationsSql sql;
    private @Nullable Backlog backlog;
    private long backlogAt;

    /**
     * @param dataSource where the outbox is
     * @param tables the names of the tables
     */
    public JdbcOutboxOperations(DataSource dataSource, OutboxTables tables) {
        this.statements = new Statements(dataSource);
        this.sql = new OperationsSql(tables);
    }

    @Override
    public synchronized Backlog backlog() {
        Backlog known = backlog;
        if (known == null || System.nanoTime() - backlogAt > BACKLOG_AGE.toNanos()) {
            known = statements.query(sql.backlog, parameters -> {}, rows -> {
                rows.next();
                return new Backlog(rows.getLong(1), Duration.ofMillis(rows.getLong(2)), rows.getLong(3));
            });
            backlog = known;
            backlogAt = System.nanoTime();
        }
        return known;
    }

    @Override
    public List<ParkedMessage> parked(MessageFilter filter, int limit) {
        return statements.query(
                sql.list, parameters -> reason(bind(parameters, filter), filter).add(limit), rows -> {
                    List<ParkedMessage> parked = new ArrayList<>();
                    while (rows.next()) {
                        parked.add(new ParkedMessage(
                                rows.getString(1),
                                new Destination(rows.getString(2), rows.getString(3)),
                                rows.getString(4),
                                rows.getInt(5),
                                instant(rows, 6),
                                instant(rows, 7),
                                rows.getString(8)));
                    }
                    return parked;
                });
    }

    private static Instant instant(ResultSet rows, int column) throws SQLException {
        return rows.getObject(column, OffsetDateTime.class).toInstant();
    }

    @Override
    public int retry(MessageFilter filter) {
        return statements.query(
                sql.retry, parameters -> reason(bind(parameters, filter), filter), JdbcOutboxOperations::count);
    }

    @Override
    public int discard(MessageFilter filter) {
        return statements.query(
                sql.discard, parameters -> reason(bind(parameters, filter), filter), JdbcOutboxOperations::count);
    }

    private static int count(ResultSet rows) throws SQLException {
        return rows.next() ? rows.getInt(1) : 0;
    }

    @Override
    public int publishAgain(MessageFilter filter, @Nullable Instant from, @Nullable Instant to) {
        if (filter.reason() != null) {
            throw new IllegalArgumentException("A message that was published has no reason to be asked for");
        }
        return statements.update(sql.publishAgain, parameters -> {
            bind(parameters, filter);
            twice(parameters, from == null ? null : from.atOffset(ZoneOffset.UTC));
            twice(parameters, to == null ? null : to.atOffset(ZoneOffset.UTC));
        });
    }

    private static Parameters bind(Parameters parameters, MessageFilter filter) throws SQLException {
        String key = filter.key();
        parameters.texts(filter.ids()).texts(filter.ids());
        twice(parameters, filter.destination());
        twice(parameters, key == null ? null : key.getBytes(StandardCharsets.UTF_8));
        return parameters;
    }

    private static Parameters reason(Parameters parameters, MessageFilter filter) throws SQLException {
        return twice(parameters, filter.reason());
    }

    private static Parameters twice(Parameters parameters, @Nullable Object value) throws SQLException {
        return parameters.add(value).add(value);
    }
}
