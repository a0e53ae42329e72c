package io.inboxkit.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.inboxkit.outbox.OutboxMessage;
import io.inboxkit.testkit.ChildJvm;
import io.inboxkit.testkit.KafkaService;
import io.inboxkit.testkit.KafkaTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;

/** Several relays, of which one is killed and one is frozen past its lease, while many write. */
class RelayProcessesIT {

    private static final Logger LOG = LoggerFactory.getLogger(RelayProcessesIT.class);
    private static final int KEYS = Integer.getInteger("outbox.test.keys", 100);
    private static final int TRANSACTIONS = Integer.getInteger("outbox.test.transactions", 4000);
    private static final int BACKLOG = Integer.getInteger("outbox.test.backlog", 200);
    private static final int WRITERS = 4;

    /** Two workers of each relay have at most so much under way, or confirmed and not yet removed. */
    private static final int MOST_IN_DOUBT = 2 * RelayProcess.SETTINGS.batchSize() * 8;

    @RegisterExtension
    static final RelayFixture outbox = new RelayFixture();

    private final String topic = KafkaTopics.createUnique("processes", 3);
    private final AtomicInteger committed = new AtomicInteger();

    @Test
    void nothingIsLostOrReorderedWhenOneRelayIsKilledAndAnotherIsFrozen() throws Exception {
        long seed = Long.getLong("outbox.test.seed", System.nanoTime());
        LOG.info("seed {}", seed);
        outbox.jdbc.execute("create table aggregate (id int primary key, version int not null default 0)");
        outbox.jdbc.update("insert into aggregate (id) select generate_series(0, ?)", KEYS - 1);
        for (int i = 0; i < BACKLOG; i++) {
            outbox.transactions.executeWithoutResult(status -> {
                for (int key = 0; key < KEYS; key++) {
                    change(key);
                }
            });
            committed.addAndGet(KEYS);
        }
        try (ChildJvm killed = relay();
                ChildJvm frozen = relay();
                ChildJvm other = relay()) {
            for (ChildJvm relay : List.of(killed, frozen, other)) {
                relay.awaitLine("started", Duration.ofSeconds(60));
            }
            ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                Random random = new Random(seed + i);
                all.add(writers.submit(() -> write(random)));
            }
            awaitWaiting(BACKLOG * KEYS * 3 / 4);
            killed.kill();
            awaitWaiting(BACKLOG * KEYS / 2);
            frozen.freeze();
            for (Future<?> writer : all) {
                writer.get(120, TimeUnit.SECONDS);
            }
            writers.shutdown();
            // The frozen one is past its lease, and the rest of the messages goes without it.
            await().atMost(Duration.ofSeconds(60)).until(() -> outbox.waiting() == 0);
            frozen.thaw();
            for (int i = 0; i < KEYS; i++) {
                writeOne(i, false);
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> outbox.waiting() == 0);
            assertThat(frozen.stop()).as(frozen.output()).isEqualTo(143);
            assertThat(other.stop()).as(other.output()).isEqualTo(143);
        }

        Wire wire = Wire.received(topic, committed.get());
        wire.assertFirstCopiesInOrder();
        assertThat(wire.firstCopies().values().stream().mapToInt(List::size).sum())
                .isEqualTo(committed.get());
        LOG.info("{} messages, {} repeats", committed.get(), wire.repeats());
        assertThat(wire.repeats()).isLessThanOrEqualTo(2 * MOST_IN_DOUBT);
        assertThat(outbox.parked()).isZero();
        outbox.jdbc.execute("drop table aggregate");
    }

    private static void awaitWaiting(int most) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> outbox.waiting() < most);
    }

    private void write(Random random) {
        for (int i = 0; i < TRANSACTIONS / WRITERS; i++) {
            writeOne(random.nextInt(KEYS), random.nextInt(10) == 0);
            if (random.nextInt(200) == 0) {
                slow(random.nextInt(KEYS), Duration.ofMillis(random.nextInt(1000)));
            }
        }
    }

    /** The version of the aggregate is the number of the message: transactions of one key are serialised. */
    private void writeOne(int key, boolean rollBack) {
        outbox.transactions.executeWithoutResult(status -> {
            change(key);
            if (rollBack) {
                status.setRollbackOnly();
            }
        });
        if (!rollBack) {
            committed.incrementAndGet();
        }
    }

    private void slow(int key, Duration time) {
        outbox.transactions.executeWithoutResult(status -> {
            change(key);
            new JdbcTemplate(outbox.dataSource).queryForList("select pg_sleep(?)", time.toMillis() / 1000.0);
        });
        committed.incrementAndGet();
    }

    private void change(int key) {
        Integer version = new JdbcTemplate(outbox.dataSource)
                .queryForObject(
                        "update aggregate set version = version + 1 where id = ? returning version",
                        Integer.class,
                        key);
        outbox.outbox.publish(OutboxMessage.to("kafka:" + topic).key(key).payload("" + version));
    }

    private static ChildJvm relay() {
        return ChildJvm.start(
                RelayProcess.class,
                Map.of(),
                outbox.database.url(),
                outbox.database.user(),
                outbox.database.password(),
                KafkaService.bootstrapServers());
    }
}
