package io.inboxkit.testkit;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.postgresql.ds.PGSimpleDataSource;

/** A database of its own, empty, whose session time zone is a hostile one (half an hour off, with daylight saving time). */
public final class TestDatabase implements AutoCloseable {

    private final PostgresService service;
    private final String name;

    private TestDatabase(PostgresService service, String name) {
        this.service = service;
        this.name = name;
    }

    /** Makes a database on the server of this JVM. */
    public static TestDatabase create() {
        TestDatabase database = new TestDatabase(
                PostgresService.get(), "t_" + UUID.randomUUID().toString().replace("-", ""));
        database.administer("create database " + database.name);
        database.administer("alter database " + database.name + " set timezone to 'America/St_Johns'");
        return database;
    }

    /** The JDBC address. */
    public String url() {
        return service.url(name);
    }

    /** The JDBC address through something that listens on another port of this machine, such as a proxy. */
    public String url(int port) {
        return PostgresService.url("localhost", port, name);
    }

    public String name() {
        return name;
    }

    public String user() {
        return service.user();
    }

    public String password() {
        return service.password();
    }

    /** A {@code DataSource} that opens a connection each time. */
    public PGSimpleDataSource dataSource() {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl(url());
        dataSource.setUser(user());
        dataSource.setPassword(password());
        return dataSource;
    }

    /** A pool of connections; the caller closes it. */
    public HikariDataSource pool(int size) {
        return pool(size, url());
    }

    /** A pool of connections at another address of this database; the caller closes it. */
    public HikariDataSource pool(int size, String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user());
        config.setPassword(password());
        config.setMaximumPoolSize(size);
        return new HikariDataSource(config);
    }

    /** Drops the database, with the connections that are still open. */
    @Override
    public void close() {
        administer("drop database if exists " + name + " with (force)");
    }

    private void administer(String statement) {
        try (Connection connection =
                        DriverManager.getConnection(service.url("postgres"), service.user(), service.password());
                Statement jdbc = connection.createStatement()) {
            jdbc.execute(statement);
        } catch (SQLException e) {
            throw new IllegalStateException("Could not run: " + statement, e);
        }
    }
}
