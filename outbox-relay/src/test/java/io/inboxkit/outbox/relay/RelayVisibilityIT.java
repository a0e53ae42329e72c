package io.inboxkit.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.inboxkit.outbox.OutboxMessage;
import io.inboxkit.testkit.KafkaTopics;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** What becomes visible when, and in which order it leaves. */
class RelayVisibilityIT {

    @RegisterExtension
    static final RelayFixture outbox = new RelayFixture();

    private final String topic = KafkaTopics.createUnique("visibility", 3);

    @Test
    void lowerNumberThatIsCommittedLaterIsPublished() throws Exception {
        outbox.start();
        CountDownLatch written = new CountDownLatch(1);
        CountDownLatch commit = new CountDownLatch(1);
        CompletableFuture<Void> slow = slow("slow", 0, written, commit);
        assertThat(written.await(10, TimeUnit.SECONDS)).isTrue();
        for (int i = 1; i <= 1000; i++) {
            outbox.publish(message("other" + i % 10, i));
        }
        assertThat(Wire.received(topic, 1000).firstCopies()).doesNotContainKey("slow");

        commit.countDown();
        slow.get(10, TimeUnit.SECONDS);
        assertThat(Wire.received(topic, 1001).firstCopies()).containsKey("slow");
        Wire.received(topic, 1001).assertNoRepeats();
    }

    @Test
    void serialisedTransactionsKeepTheirOrderHoweverManyOthersCommitInBetween() throws Exception {
        outbox.start();
        outbox.jdbc.execute("create table aggregate (id int primary key)");
        outbox.jdbc.execute("insert into aggregate values (1)");
        CountDownLatch written = new CountDownLatch(1);
        CountDownLatch commit = new CountDownLatch(1);
        CompletableFuture<Void> first =
                CompletableFuture.runAsync(() -> outbox.transactions.executeWithoutResult(status -> {
                    lockAggregate();
                    outbox.outbox.publish(message("k", 1));
                    written.countDown();
                    awaitLatch(commit);
                }));
        assertThat(written.await(10, TimeUnit.SECONDS)).isTrue();
        // Its own number is lower than that of the transaction which it waits for.
        CompletableFuture<Void> second =
                CompletableFuture.runAsync(() -> outbox.transactions.executeWithoutResult(status -> {
                    outbox.outbox.publish(message("elsewhere", 0));
                    lockAggregate();
                    outbox.outbox.publish(message("k", 2));
                }));
        for (int i = 0; i < 2000; i++) {
            outbox.publish(message("other" + i % 50, i));
        }
        commit.countDown();
        first.get(10, TimeUnit.SECONDS);
        second.get(10, TimeUnit.SECONDS);

        Wire wire = Wire.received(topic, 2003);
        wire.assertFirstCopiesInOrder();
        wire.assertNoRepeats();
        assertThat(wire.firstCopies().get("k")).containsExactly(1, 2);
        outbox.jdbc.execute("drop table aggregate");
    }

    @Test
    void rolledBackNumbersAreNoGap() {
        outbox.start();
        for (int i = 0; i < 100; i++) {
            int number = i;
            outbox.transactions.executeWithoutResult(status -> {
                outbox.outbox.publish(message("k", number));
                if (number % 2 == 1) {
                    status.setRollbackOnly();
                }
            });
        }

        assertThat(Wire.received(topic, 50).firstCopies().get("k")).hasSize(50).allMatch(number -> number % 2 == 0);
    }

    @Test
    void preparedTransactionAndOldSnapshotHoldNothingUp() throws Exception {
        outbox.start();
        TransactionTemplate repeatable = new TransactionTemplate(outbox.manager);
        repeatable.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        try (Connection prepared = outbox.dataSource.getConnection();
                Statement statement = prepared.createStatement()) {
            prepared.setAutoCommit(false);
            statement.execute(
                    "insert into outbox_message (partition, lane, id, destination_scheme, destination_name, payload) "
                            + "values (3, 3, 'prepared', 'kafka', '" + topic + "', '4711')");
            statement.execute("prepare transaction 'p'");
            prepared.setAutoCommit(true);
            repeatable.executeWithoutResult(status -> {
                outbox.jdbc.queryForObject("select count(*) from outbox_message", Integer.class);
                for (int i = 0; i < 1000; i++) {
                    OutboxMessage next = message("k" + i % 10, i);
                    CompletableFuture.runAsync(() -> outbox.publish(next)).join();
                }
                Wire.received(topic, 1000).assertFirstCopiesInOrder();
            });
            statement.execute("commit prepared 'p'");
        }
        assertThat(Wire.received(topic, 1001).texts()).contains("4711");
    }

    @Test
    void messageThatIsWrittenAfterARelayWasIdleIsPublishedAtOnce() {
        Relay relay = outbox.start();
        await().until(() -> relay.state().signalled());
        outbox.publish(message("k", 0));
        Wire.received(topic, 1);
        for (int i = 1; i <= 5; i++) {
            long begin = System.nanoTime();
            outbox.publish(message("k", i));
            int count = i + 1;
            await().pollInterval(Duration.ofMillis(5)).until(() -> Wire.records(topic) == count);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMillis(900));
        }
    }

    private OutboxMessage message(String key, int number) {
        return OutboxMessage.to("kafka:" + topic).key(key).payload("" + number);
    }

    private CompletableFuture<Void> slow(String key, int number, CountDownLatch written, CountDownLatch commit) {
        return CompletableFuture.runAsync(() -> outbox.transactions.executeWithoutResult(status -> {
            outbox.outbox.publish(message(key, number));
            written.countDown();
            awaitLatch(commit);
        }));
    }

    private static void lockAggregate() {
        new JdbcTemplate(outbox.dataSource)
                .queryForObject("select id from aggregate where id = 1 for update", Integer.class);
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
