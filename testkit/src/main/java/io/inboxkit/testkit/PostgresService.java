package io.inboxkit.testkit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * The PostgreSQL server of the tests: started when it is first asked for, once per JVM, and stopped with the JVM.
 *
 * <p>In this order: the address in {@code INBOX_TEST_POSTGRES_URL} (a JDBC URL, with {@code INBOX_TEST_POSTGRES_USER} and
 * {@code INBOX_TEST_POSTGRES_PASSWORD} of a user who may create databases), a container of
 * {@code INBOX_TEST_POSTGRES_IMAGE} (default {@code postgres:17}), an embedded server.
 *
 * <p>A commit waits until the log is written to the operating system, so nothing committed is lost when processes are
 * killed. {@code fsync}, which only matters when the machine itself fails, is off because it is slow;
 * {@code INBOX_TEST_POSTGRES_FSYNC=on} turns it on, for measurements.
 *
 * <p>Outages are made in front of the server, by {@link TestDatabase#proxy()}, so that they work wherever it came from and
 * disturb no other test.
 */
final class PostgresService {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresService.class);
    private static final int PORT = 5432;

    private PostgresService() {}

    static Server server() {
        return Holder.SERVER;
    }

    /** A server that listens; the user may create databases. */
    record Server(String host, int port, String user, String password) {

        String url(String database) {
            return url(host, port, database);
        }

        static String url(String host, int port, String database) {
            return "jdbc:postgresql://" + host + ":" + port + "/" + database;
        }
    }

    private static Server find() {
        String url = ServiceSource.setting("INBOX_TEST_POSTGRES_URL");
        if (url != null) {
            return log("an address from the environment", given(url));
        }
        return ServiceSource.start("postgres", () -> switch (ServiceSource.find()) {
            case TESTCONTAINERS -> log("Testcontainers", container());
            case EMBEDDED -> log("an embedded server", embedded());
        });
    }

    private static Server log(String source, Server server) {
        LOG.info("PostgreSQL for tests: {}, {}:{}", source, server.host, server.port);
        return server;
    }

    private static Server given(String url) {
        URI address = URI.create(url.replaceFirst("^jdbc:", ""));
        if (address.getHost() == null) {
            throw new IllegalStateException(
                    "INBOX_TEST_POSTGRES_URL names no host: use jdbc:postgresql://host:port/database");
        }
        return new Server(
                address.getHost(),
                address.getPort() < 0 ? PORT : address.getPort(),
                ServiceSource.setting("INBOX_TEST_POSTGRES_USER", "postgres"),
                ServiceSource.setting("INBOX_TEST_POSTGRES_PASSWORD", ""));
    }

    private static Server container() {
        String image = ServiceSource.setting("INBOX_TEST_POSTGRES_IMAGE", "postgres:17");
        PostgreSQLContainer container =
                new PostgreSQLContainer(DockerImageName.parse(image).asCompatibleSubstituteFor("postgres"));
        container.setCommand(
                "postgres",
                "-c",
                "fsync=" + fsync(),
                "-c",
                "max_connections=300",
                "-c",
                "max_prepared_transactions=10");
        container.start();
        ServiceSource.atExit("postgres", container::stop);
        return new Server(
                container.getHost(), container.getMappedPort(PORT), container.getUsername(), container.getPassword());
    }

    private static Server embedded() {
        // Beside the unpacked binaries, where a later start finds and removes what a killed JVM left running.
        Path data = Path.of(
                System.getProperty("java.io.tmpdir"),
                "embedded-pg",
                UUID.randomUUID().toString());
        try {
            EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                    .setDataDirectory(data)
                    .setRegisterShutdownHook(false)
                    .setPGStartupWait(Duration.ofSeconds(60))
                    .setLocaleConfig("locale", "C.UTF-8")
                    .setServerConfig("fsync", fsync())
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("max_connections", "300")
                    .setServerConfig("max_prepared_transactions", "10")
                    .start();
            ServiceSource.atExit("postgres", () -> close(postgres));
            return new Server("localhost", postgres.getPort(), "postgres", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void close(EmbeddedPostgres postgres) {
        try {
            postgres.close();
        } catch (IOException e) {
            throw new UncheckedIOException("The embedded PostgreSQL could not be stopped", e);
        }
    }

    private static String fsync() {
        return ServiceSource.setting("INBOX_TEST_POSTGRES_FSYNC", "off");
    }

    private static final class Holder {
        static final Server SERVER = find();
    }
}
