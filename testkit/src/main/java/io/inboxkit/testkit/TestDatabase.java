package io.inboxkit.testkit;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A database of its own on the PostgreSQL server of the tests (see {@link PostgresService}), dropped when it is closed.
 *
 * <p>The time zone of its sessions is a hostile one (half an hour off, with daylight saving time). The driver replaces a
 * database's zone by that of the JVM when it connects, so every connection given out here sets it again.
 */
public final class TestDatabase implements AutoCloseable {

    private static final String SET_TIME_ZONE = "SET timezone TO 'America/St_Johns'";

    private final PostgresService.Server server;
    private final String name;

    private TestDatabase(PostgresService.Server server, String name) {
        this.server = server;
        this.name = name;
        administer("CREATE DATABASE " + name);
        administer("ALTER DATABASE " + name + " " + SET_TIME_ZONE);
    }

    /** A new, empty database. */
    public static TestDatabase create() {
        return new TestDatabase(
                PostgresService.server(), "t_" + UUID.randomUUID().toString().replace("-", ""));
    }

    /** The name of the database. */
    public String name() {
        return name;
    }

    /** The JDBC address, for {@code spring.datasource.url}. */
    public String url() {
        return address(server.host(), server.port());
    }

    /** The JDBC address through a proxy; unencrypted, so that {@link RoundTrips} can read along. */
    public String url(TcpProxy proxy) {
        return address("localhost", proxy.port()) + "?sslmode=disable";
    }

    /** A proxy in front of the server, for outages that only its users feel. The caller closes it. */
    public TcpProxy proxy() {
        return new TcpProxy(server.host(), server.port());
    }

    /** A proxy in front of the server that counts round trips. The caller closes it. */
    public RoundTrips roundTrips() {
        return new RoundTrips(server.host(), server.port());
    }

    /** The owner of the database, a superuser. */
    public String user() {
        return server.user();
    }

    /** The password of the user; may be empty. */
    public String password() {
        return server.password();
    }

    /** The properties of a Spring Boot application that uses this database. */
    public Map<String, String> springProperties() {
        return springProperties(url());
    }

    /** As {@link #springProperties()}, at another address of this database. */
    public Map<String, String> springProperties(String url) {
        return Map.of(
                "spring.datasource.url",
                url,
                "spring.datasource.username",
                user(),
                "spring.datasource.password",
                password(),
                "spring.datasource.hikari.connection-init-sql",
                SET_TIME_ZONE);
    }

    /** Opens a connection each time, without a pool. */
    public DataSource dataSource() {
        return dataSource(url());
    }

    /** As {@link #dataSource()}, at another address of this database. */
    public DataSource dataSource(String url) {
        PGSimpleDataSource dataSource = new ZonedDataSource();
        dataSource.setUrl(url);
        dataSource.setUser(user());
        dataSource.setPassword(password());
        return dataSource;
    }

    /** A pool of at most that many connections; the caller closes it. */
    public HikariDataSource pool(int size) {
        return pool(size, url());
    }

    /** As {@link #pool(int)}, at another address of this database. */
    public HikariDataSource pool(int size, String url) {
        return pool(size, dataSource(url));
    }

    /** As {@link #pool(int)}, over another source of connections to this database, such as {@link FaultyDataSource}. */
    public HikariDataSource pool(int size, DataSource dataSource) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(dataSource);
        config.setMaximumPoolSize(size);
        return new HikariDataSource(config);
    }

    /** For arranging and asserting, on connections of its own that no fault reaches. */
    public JdbcTemplate jdbc() {
        return new JdbcTemplate(dataSource());
    }

    /** How many connections of others are open to this database, as the server sees it. */
    public int openConnections() {
        Integer count = new JdbcTemplate(dataSource(server.url("postgres")))
                .queryForObject(
                        "SELECT count(*) FROM pg_stat_activity WHERE datname = ? AND backend_type = 'client backend'",
                        Integer.class,
                        name);
        return count == null ? 0 : count;
    }

    /** Drops the database, and cuts the connections that are still open. */
    @Override
    public void close() {
        administer("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
    }

    private String address(String host, int port) {
        return PostgresService.Server.url(host, port, name);
    }

    private void administer(String statement) {
        try (Connection connection =
                        DriverManager.getConnection(server.url("postgres"), server.user(), server.password());
                Statement jdbc = connection.createStatement()) {
            jdbc.execute(statement);
        } catch (SQLException e) {
            throw new IllegalStateException("The test database could not be prepared or dropped by: " + statement, e);
        }
    }

    private static final class ZonedDataSource extends PGSimpleDataSource {

        @Override
        public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
            Connection connection = super.getConnection(user, password);
            try (Statement statement = connection.createStatement()) {
                statement.execute(SET_TIME_ZONE);
            }
            return connection;
        }
    }
}
