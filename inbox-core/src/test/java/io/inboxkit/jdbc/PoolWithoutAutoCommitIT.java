package io.inboxkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.inboxkit.ConsumerSettings;
import io.inboxkit.InboxMessage;
import io.inboxkit.InboxObserver;
import io.inboxkit.Outcome;
import io.inboxkit.ReusedIdPolicy;
import io.inboxkit.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** A pool that turns auto-commit off rolls back, without a word, what no transaction has committed. */
class PoolWithoutAutoCommitIT {

    private static final TestDatabase database = TestDatabase.create();
    private static final HikariDataSource pool = pool();
    private static final JdbcInbox inbox =
            JdbcInbox.builder(pool, new JdbcTransactionManager(pool)).build();

    private static HikariDataSource pool() {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(database.dataSource());
        pool.setAutoCommit(false);
        return pool;
    }

    @AfterAll
    static void dropDatabase() {
        pool.close();
        database.close();
    }

    @Test
    void idIsKept() {
        assertThat(process("c", "kept")).isEqualTo(Outcome.PROCESSED);
        assertThat(process("c", "kept")).isEqualTo(Outcome.DUPLICATE);
        assertThat(inbox.processAll(List.of(InboxMessage.of("c", "kept"), InboxMessage.of("c", "new")), fresh -> {}))
                .isOne();
    }

    @Test
    void forgottenIdIsForgotten() {
        process("c", "forgotten");

        inbox.forget("c", "forgotten");

        assertThat(process("c", "forgotten")).isEqualTo(Outcome.PROCESSED);
    }

    @Test
    void renamedConsumerIsRenamed() {
        process("old", "m1");

        inbox.rename("old", "new");

        assertThat(process("new", "m1")).isEqualTo(Outcome.DUPLICATE);
    }

    @Test
    void retiredConsumerIsRetired() {
        process("retired", "m1");

        inbox.retire("retired");

        assertThat(process("retired", "m1")).isEqualTo(Outcome.PROCESSED);
    }

    @Test
    void purgedIdIsPurged() {
        inbox.register("short", ConsumerSettings.of(ReusedIdPolicy.REJECT, Duration.ofDays(1)));
        process("short", "m1");
        database.jdbc().update("update inbox_message set processed_at = processed_at - interval '3 days'");
        database.jdbc()
                .update("insert into inbox_alive"
                        + " select id, clock_timestamp() - interval '3 days', clock_timestamp() from inbox_consumer");

        new InboxPurge(
                        List.of(inbox),
                        new InboxPurge.Settings(Duration.ofMinutes(1), 100, Duration.ofHours(1)),
                        InboxObserver.NONE)
                .run();

        assertThat(inbox.find("short", "m1")).isEmpty();
    }

    private static Outcome process(String consumer, String id) {
        return inbox.process(InboxMessage.of(consumer, id), () -> {});
    }
}
