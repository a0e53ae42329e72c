package io.inboxkit.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import io.inboxkit.jdbc.InboxSchema;
import io.inboxkit.jdbc.InboxTables;
import io.inboxkit.testkit.RoundTrips;
import io.inboxkit.testkit.TestDatabase;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** A database with the tables of all variants, on a server that must be durable. */
final class BenchmarkDatabase implements AutoCloseable {

    private final TestDatabase database = TestDatabase.create();
    private final JdbcTemplate jdbc = new JdbcTemplate(database.dataSource());

    BenchmarkDatabase() {
        requireOn("fsync");
        requireOn("synchronous_commit");
        new InboxSchema(database.dataSource(), InboxTables.defaults()).migrate();
        jdbc.execute(
                """
                create table payment (
                    id bigint generated always as identity primary key, message_id text not null, amount integer not null)
                """);
        jdbc.execute(
                """
                create table processed_message (
                    consumer text not null, message_id text not null, primary key (consumer, message_id))
                """);
        jdbc.execute("create table processed_message_like_inbox (like inbox_message including all)");
    }

    /** Without durable commits a benchmark shows the cost of a claim many times too large. */
    private void requireOn(String setting) {
        String value = jdbc.queryForObject("select current_setting(?)", String.class, setting);
        if (!"on".equals(value)) {
            throw new IllegalStateException("The server has " + setting + " = " + value
                    + ", so its figures would say nothing about production. Set it to on");
        }
    }

    String version() {
        return String.valueOf(jdbc.queryForObject("select current_setting('server_version')", String.class));
    }

    /** Empties the tables. */
    void clear() {
        jdbc.execute("truncate payment, processed_message, processed_message_like_inbox, inbox_message");
    }

    HikariDataSource pool(int size) {
        return database.pool(size);
    }

    /** A proxy in front of the server, which the caller closes. */
    RoundTrips roundTrips() {
        return database.roundTrips();
    }

    HikariDataSource pool(int size, RoundTrips trips) {
        return database.pool(size, database.url(trips));
    }

    /** One connection, which the caller closes. */
    SingleConnectionDataSource singleConnection() {
        return new SingleConnectionDataSource(database.url(), database.user(), database.password(), true);
    }

    @Override
    public void close() {
        database.close();
    }
}
