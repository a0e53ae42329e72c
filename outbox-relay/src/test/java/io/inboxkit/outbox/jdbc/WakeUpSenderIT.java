package io.inboxkit.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

class WakeUpSenderIT {

    @RegisterExtension
    static final OutboxFixture database = new OutboxFixture();

    private final WakeUpSender sender = new WakeUpSender(database.dataSource);

    @BeforeEach
    void start() {
        sender.start();
    }

    @AfterEach
    void stop() {
        sender.stop();
        assertThat(sender.isRunning()).isFalse();
    }

    @Test
    void committedMessageWakesWhoListens() throws SQLException {
        try (Connection listener = listen()) {
            sender.messagesCommitted();
            assertThat(notifications(listener, Duration.ofSeconds(10))).isEqualTo(1);
        }
    }

    @Test
    void manyCommitsGiveFewSignals() throws SQLException {
        try (Connection listener = listen()) {
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < Duration.ofMillis(200).toNanos()) {
                sender.messagesCommitted();
                Thread.onSpinWait();
            }
            int received = 0;
            int more;
            while ((more = notifications(listener, Duration.ofMillis(500))) > 0) {
                received += more;
            }
            long milliseconds = Duration.ofNanos(System.nanoTime() - begin).toMillis();
            assertThat(received).isPositive().isLessThanOrEqualTo((int) (milliseconds / 5 + 1));
        }
    }

    @Test
    void signalThatCannotBeSentIsDroppedAndTheNextOneIsSent() throws SQLException {
        try (Connection listener = listen()) {
            database.dataSource.getHikariPoolMXBean().softEvictConnections();
            database.jdbc.execute("select pg_terminate_backend(pid) from pg_stat_activity "
                    + "where datname = current_database() and pid <> pg_backend_pid() "
                    + "and query not like 'listen%'");
            await().untilAsserted(() -> {
                sender.messagesCommitted();
                assertThat(notifications(listener, Duration.ofMillis(100))).isPositive();
            });
        }
    }

    private static Connection listen() throws SQLException {
        Connection connection = database.database.dataSource().getConnection();
        try (Statement statement = connection.createStatement()) {
            statement.execute("listen outbox_message");
        }
        return connection;
    }

    private static int notifications(Connection listener, Duration limit) throws SQLException {
        PGNotification[] received = listener.unwrap(PGConnection.class).getNotifications((int) limit.toMillis());
        return received == null ? 0 : received.length;
    }
}
