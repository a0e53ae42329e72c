package io.inboxkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.inboxkit.InboxMessage;
import io.inboxkit.InboxUnavailableException;
import io.inboxkit.Outcome;
import io.inboxkit.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** What goes wrong before the handler runs says nothing about the message: it is undecided, whatever the reason. */
class UndecidedIT {

    private static final int POOL_SIZE = 4;
    private static final TestDatabase database = TestDatabase.create();

    private final HikariDataSource pool = impatientPool();
    private final JdbcInbox inbox = inbox(pool);

    private static HikariDataSource impatientPool() {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(database.dataSource());
        pool.setMaximumPoolSize(POOL_SIZE);
        pool.setConnectionTimeout(500);
        return pool;
    }

    private static JdbcInbox inbox(HikariDataSource pool) {
        return JdbcInbox.builder(pool, new JdbcTransactionManager(pool))
                .claimTimeout(Duration.ofSeconds(5))
                .build();
    }

    @AfterEach
    void closePool() {
        pool.close();
    }

    @AfterAll
    static void dropDatabase() {
        database.close();
    }

    @Test
    void noConnectionInThePool() throws SQLException {
        inbox.process(InboxMessage.of("c", "warm-up"), () -> {});
        List<Connection> all = new ArrayList<>();
        for (int i = 0; i < POOL_SIZE; i++) {
            all.add(pool.getConnection());
        }
        assertUndecided("no-connection");
        for (Connection connection : all) {
            connection.close();
        }
        assertProcessed("no-connection");
    }

    @Test
    void connectionThatTheServerHasEnded() {
        inbox.process(InboxMessage.of("c", "warm-up"), () -> {});
        new JdbcTemplate(database.dataSource())
                .execute("select pg_terminate_backend(pid) from pg_stat_activity "
                        + "where datname = current_database() and pid <> pg_backend_pid()");
        // Hikari tests a connection only if it was idle for half a second, so the claim meets the dead one.
        assertUndecided("ended");
        await().ignoreException(InboxUnavailableException.class).untilAsserted(() -> assertProcessed("ended"));
    }

    @Test
    void tableThatIsNotThere() {
        JdbcTemplate jdbc = new JdbcTemplate(database.dataSource());
        jdbc.execute("alter table inbox_message rename to moved");
        assertUndecided("no-table");
        jdbc.execute("alter table moved rename to inbox_message");
        assertProcessed("no-table");
    }

    @Test
    void statementTimeoutOfTheSessionThatIsShorterThanTheWait() throws Exception {
        try (TestDatabase impatient = TestDatabase.create();
                HikariDataSource impatientPool = impatient.pool(2)) {
            JdbcInbox other = inbox(impatientPool);
            other.process(InboxMessage.of("c", "warm-up"), () -> {});
            new JdbcTemplate(impatient.dataSource())
                    .execute("alter database " + impatient.name() + " set statement_timeout = '200ms'");
            impatientPool.getHikariPoolMXBean().softEvictConnections();

            other.process(InboxMessage.of("c", "held"), () -> assertThatExceptionOfType(InboxUnavailableException.class)
                    .isThrownBy(() -> inAnotherThread(() -> other.process(InboxMessage.of("c", "held"), () -> {})))
                    .withMessageContaining("57014"));
        }
    }

    @Test
    void poolOfAsManyConnectionsAsThreadsIsEnough() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(POOL_SIZE);
        try {
            List<Future<Outcome>> deliveries = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                InboxMessage message = InboxMessage.of("consumer" + i % 7, "m" + i);
                deliveries.add(threads.submit(() -> inbox.process(message, () -> {})));
            }
            for (Future<Outcome> delivery : deliveries) {
                assertThat(delivery.get(30, TimeUnit.SECONDS)).isEqualTo(Outcome.PROCESSED);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void assertUndecided(String id) {
        assertThatExceptionOfType(InboxUnavailableException.class)
                .isThrownBy(() -> inbox.process(InboxMessage.of("c", id), () -> {
                    throw new AssertionError("the handler must not run");
                }))
                .withMessageContaining("must be delivered again")
                .withMessageNotContaining(id);
    }

    private void assertProcessed(String id) {
        assertThat(inbox.process(InboxMessage.of("c", id), () -> {})).isEqualTo(Outcome.PROCESSED);
    }

    private static <T> T inAnotherThread(Callable<T> work) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            return thread.submit(work).get(30, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            thread.shutdownNow();
        }
    }
}
