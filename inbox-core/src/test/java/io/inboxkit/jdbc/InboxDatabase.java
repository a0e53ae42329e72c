package io.inboxkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.inboxkit.testkit.TestDatabase;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A fresh database with an inbox and a business table of effects, for one test class. */
class InboxDatabase implements BeforeAllCallback, AfterAllCallback {

    private final TestDatabase database = TestDatabase.create();
    private final HikariDataSource dataSource = database.pool(20);
    private final JdbcTransactionManager manager;
    private final JdbcTemplate jdbc;
    private final JdbcInbox inbox;

    InboxDatabase() {
        manager = new JdbcTransactionManager(dataSource);
        jdbc = new JdbcTemplate(dataSource);
        inbox = builder().build();
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        jdbc.execute("create table parent (name text primary key)");
        jdbc.execute("create table effect (name text not null, "
                + "parent text references parent (name) deferrable initially deferred)");
    }

    @Override
    public void afterAll(ExtensionContext context) {
        dataSource.close();
        database.close();
    }

    JdbcInbox inbox() {
        return inbox;
    }

    JdbcInboxBuilder builder() {
        return JdbcInbox.builder(dataSource, manager);
    }

    DataSource dataSource() {
        return dataSource;
    }

    JdbcTemplate jdbc() {
        return jdbc;
    }

    TransactionTemplate transactions() {
        return new TransactionTemplate(manager);
    }

    void effect(String name) {
        jdbc.update("insert into effect (name) values (?)", name);
    }

    /** An effect whose foreign key is checked, and fails, at COMMIT. */
    void effectWithoutParent(String name) {
        jdbc.update("insert into effect (name, parent) values (?, 'nobody')", name);
    }

    List<String> effects() {
        return jdbc.queryForList("select name from effect order by name", String.class);
    }

    void clear() {
        jdbc.execute("truncate effect, inbox_message, inbox_position, inbox_open, inbox_floor, inbox_alive");
        jdbc.execute("update inbox_consumer set floored_until = null, floored_at = null");
    }

    /** Makes everything older that has happened so far, in a time in which all consumers were alive. */
    void age(String interval) {
        jdbc.update("update inbox_message set processed_at = processed_at - ?::interval", interval);
        jdbc.update("update inbox_floor set raised_at = raised_at - ?::interval", interval);
        jdbc.update(
                "update inbox_consumer set floored_until = floored_until - ?::interval, floored_at = floored_at - ?::interval",
                interval,
                interval);
        jdbc.update(
                "insert into inbox_alive select id, clock_timestamp() - ?::interval, clock_timestamp() from inbox_consumer",
                interval);
    }

    String setting(String name) {
        return Objects.requireNonNull(jdbc.queryForObject("select current_setting(?)", String.class, name));
    }

    Instant now() {
        return Objects.requireNonNull(jdbc.queryForObject("select clock_timestamp()", OffsetDateTime.class))
                .toInstant();
    }

    /** Returns when a statement waits for a lock. */
    void awaitLockWait() {
        await().untilAsserted(() -> assertThat(jdbc.queryForObject(
                        "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
                        Integer.class))
                .isPositive());
    }
}
