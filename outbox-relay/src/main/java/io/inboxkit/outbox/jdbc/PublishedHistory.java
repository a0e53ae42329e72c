package io.inboxkit.outbox.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ScheduledFuture;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;

/**
 * Makes a table for the published messages of each day (UTC), and drops those of days that are over for longer than messages are
 * kept. Any number of instances may run. Where it has no right to do so, messages are kept in one table, and none is dropped.
 */
public final class PublishedHistory implements SmartLifecycle {

    private static final Duration INTERVAL = Duration.ofHours(1);
    private static final int DAYS_AHEAD = 2;
    private static final DateTimeFormatter SUFFIX = DateTimeFormatter.BASIC_ISO_DATE;
    private static final Logger LOG = LoggerFactory.getLogger(PublishedHistory.class);

    private final JdbcTemplate jdbc;
    private final OutboxTables tables;
    private final Duration keep;
    private @Nullable SimpleAsyncTaskScheduler scheduler;
    private @Nullable ScheduledFuture<?> runs;

    /**
     * @param dataSource where the outbox is
     * @param tables the names of the tables
     * @param keep how long published messages are kept
     */
    public PublishedHistory(DataSource dataSource, OutboxTables tables, Duration keep) {
        this.jdbc = new JdbcTemplate(dataSource);
        this.tables = tables;
        this.keep = keep;
    }

    /** Makes and drops what is due. */
    public void run() {
        OffsetDateTime now =
                Objects.requireNonNull(jdbc.queryForObject("select clock_timestamp()", OffsetDateTime.class));
        LocalDate today = now.withOffsetSameInstant(ZoneOffset.UTC).toLocalDate();
        List<String> statements = new ArrayList<>();
        for (int day = 0; day <= DAYS_AHEAD; day++) {
            statements.add(create(today.plusDays(day)));
        }
        Instant end = now.toInstant().minus(keep);
        for (String table : jdbc.queryForList(
                "select inhrelid::regclass::text from pg_inherits where inhparent = '" + tables.published()
                        + "'::regclass order by 1",
                String.class)) {
            String digits = table.replaceAll(".*_(?=\\d{8}$)", "").replace("\"", "");
            if (digits.matches("\\d{8}")
                    && !LocalDate.parse(digits, SUFFIX)
                            .plusDays(1)
                            .atStartOfDay(ZoneOffset.UTC)
                            .toInstant()
                            .isAfter(end)) {
                statements.add("drop table if exists " + table);
            }
        }
        jdbc.execute((ConnectionCallback<Boolean>) connection -> execute(connection, statements));
    }

    private String create(LocalDate day) {
        return "create table if not exists " + tables.published() + "_" + SUFFIX.format(day) + " partition of "
                + tables.published() + " for values from ('" + day + " 00:00:00+00') to ('" + day.plusDays(1)
                + " 00:00:00+00')";
    }

    /** One instance at a time, by a lock that ends with the transaction; a relay that moves messages is not kept waiting for long. */
    private static boolean execute(Connection connection, List<String> statements) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        try (Statement jdbc = connection.createStatement()) {
            jdbc.execute("set local lock_timeout = '2s'");
            jdbc.execute("select pg_advisory_xact_lock(hashtext('outbox_published'))");
            for (String statement : statements) {
                jdbc.execute(statement);
            }
            connection.commit();
            return true;
        } catch (SQLException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(autoCommit);
        }
    }

    private void runQuietly() {
        try {
            run();
        } catch (DataAccessException e) {
            LOG.warn(
                    "The tables of the published messages could not be made or dropped; it is tried again every {}",
                    INTERVAL,
                    e);
        }
    }

    @Override
    public synchronized void start() {
        if (scheduler == null) {
            runQuietly();
            scheduler = new SimpleAsyncTaskScheduler();
            scheduler.setThreadNamePrefix("outbox-published-");
            runs = scheduler.scheduleWithFixedDelay(
                    this::runQuietly, Instant.now().plus(INTERVAL), INTERVAL);
        }
    }

    @Override
    public synchronized void stop() {
        if (runs != null) {
            runs.cancel(false);
            runs = null;
        }
        if (scheduler != null) {
            scheduler.close();
            scheduler = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return scheduler != null;
    }

    /** Before the relay, which moves messages there. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE - 1;
    }
}
