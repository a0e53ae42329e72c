package io.inboxkit.testkit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A PostgreSQL server, started once per JVM when it is first asked for and stopped with the JVM.
 *
 * <p>In this order: the address in {@code INBOX_TEST_POSTGRES_URL} (with {@code _USER} and {@code _PASSWORD}), a container
 * where a Docker engine answers (image {@code INBOX_TEST_POSTGRES_IMAGE}), an embedded server from Maven Central.
 * {@code INBOX_TEST_SERVICES} = {@code testcontainers} or {@code embedded} chooses between the last two. {@code fsync} is
 * on, as in production.
 *
 * @param host the host that it listens on
 * @param port the port that it listens on
 * @param user a superuser
 * @param password its password, may be empty
 */
public record PostgresService(String host, int port, String user, String password) {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresService.class);

    /** The server of this JVM. */
    public static PostgresService get() {
        return Holder.SERVICE;
    }

    /** The JDBC address of one of its databases. */
    public String url(String database) {
        return url(host, port, database);
    }

    static String url(String host, int port, String database) {
        return "jdbc:postgresql://" + host + ":" + port + "/" + database;
    }

    private static PostgresService start() {
        String url = ServiceSource.setting("INBOX_TEST_POSTGRES_URL");
        PostgresService service = url != null
                ? given(url)
                : switch (ServiceSource.find()) {
                    case TESTCONTAINERS -> container();
                    case EMBEDDED -> embedded();
                };
        LOG.info("PostgreSQL for tests at {}:{}", service.host, service.port);
        return service;
    }

    private static PostgresService given(String url) {
        URI address = URI.create(url.substring("jdbc:".length()));
        return new PostgresService(
                address.getHost(),
                address.getPort() < 0 ? 5432 : address.getPort(),
                ServiceSource.setting("INBOX_TEST_POSTGRES_USER", "postgres"),
                ServiceSource.setting("INBOX_TEST_POSTGRES_PASSWORD", ""));
    }

    @SuppressWarnings("resource") // stopped with the JVM
    private static PostgresService container() {
        String image = ServiceSource.setting("INBOX_TEST_POSTGRES_IMAGE", "postgres:17");
        PostgreSQLContainer container = new PostgreSQLContainer(
                        DockerImageName.parse(image).asCompatibleSubstituteFor("postgres"))
                .withCommand("postgres", "-c", "max_connections=300", "-c", "max_prepared_transactions=10");
        container.start();
        return new PostgresService(
                container.getHost(), container.getMappedPort(5432), container.getUsername(), container.getPassword());
    }

    @SuppressWarnings("resource") // stopped with the JVM
    private static PostgresService embedded() {
        try {
            EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                    .setServerConfig("max_connections", "300")
                    .setServerConfig("max_prepared_transactions", "10")
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .start();
            return new PostgresService("localhost", postgres.getPort(), "postgres", "");
        } catch (IOException e) {
            throw new UncheckedIOException("The embedded PostgreSQL could not be started", e);
        }
    }

    private static final class Holder {
        static final PostgresService SERVICE = start();
    }
}
