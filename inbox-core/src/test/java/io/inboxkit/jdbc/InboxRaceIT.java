package io.inboxkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.inboxkit.ConsumerSettings;
import io.inboxkit.InboxMessage;
import io.inboxkit.MessageInProgressException;
import io.inboxkit.Outcome;
import io.inboxkit.ReusedIdPolicy;
import java.io.IOException;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deliveries of one message at the same time: one of them has the effect, whatever the others do. */
class InboxRaceIT {

    private static final int THREADS = 8;

    @RegisterExtension
    static final InboxDatabase database = new InboxDatabase();

    private static final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    @BeforeEach
    void noEffects() {
        database.clear();
    }

    @AfterAll
    static void endThreads() {
        threads.shutdownNow();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void concurrentDuplicatesHaveOneEffectAtEveryIsolationLevel(int isolation) throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        JdbcInbox inbox = database.builder().attempts(50).build();
        ConsumerSettings settings =
                ConsumerSettings.of(ReusedIdPolicy.REJECT, Duration.ofDays(7)).transaction(isolation, null);
        int rounds = 60;
        for (int round = 0; round < rounds; round++) {
            String id = "r" + round;
            Random random = new Random(seed + round);
            int failing = random.nextInt(THREADS);
            CyclicBarrier start = new CyclicBarrier(THREADS);
            List<Future<Outcome>> deliveries = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                boolean fails = thread < failing;
                deliveries.add(threads.submit(() -> {
                    start.await(10, TimeUnit.SECONDS);
                    return deliver(inbox, settings, id, fails);
                }));
            }
            for (Future<Outcome> delivery : deliveries) {
                delivery.get(60, TimeUnit.SECONDS);
            }
            assertThat(Collections.frequency(database.effects(), id))
                    .as("effects of round %d, seed %d", round, seed)
                    .isOne();
        }
    }

    /** One of the deliveries is not failing, so in the end there is an effect. */
    private static Outcome deliver(JdbcInbox inbox, ConsumerSettings settings, String id, boolean fails) {
        try {
            return inbox.process(InboxMessage.of("race", id), settings, () -> {
                database.effect(id);
                if (fails) {
                    throw new IllegalStateException("planned");
                }
            });
        } catch (IllegalStateException planned) {
            return Outcome.DUPLICATE;
        }
    }

    @Test
    void concurrentDuplicateWaitsForTheCommit() throws Exception {
        try (Holder holder = new Holder("m1")) {
            Future<Outcome> second = threads.submit(() -> deliver("m1"));
            database.awaitLockWait();
            holder.commit();

            assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo(Outcome.DUPLICATE);
        }
    }

    @Test
    void concurrentDuplicateIsProcessedAfterARollback() throws Exception {
        try (Holder holder = new Holder("m1")) {
            Future<Outcome> second = threads.submit(() -> deliver("m1"));
            database.awaitLockWait();
            holder.rollback();

            assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo(Outcome.PROCESSED);
        }
        assertThat(database.effects()).containsExactly("m1");
    }

    @Test
    void waitIsBoundedAndTheMessageIsUndecidedThen() throws Exception {
        JdbcInbox impatient =
                database.builder().claimTimeout(Duration.ofMillis(100)).build();
        try (Holder holder = new Holder("m1")) {
            assertThatExceptionOfType(MessageInProgressException.class)
                    .isThrownBy(() -> impatient.process(InboxMessage.of("c", "m1"), () -> database.effect("m1")))
                    .withMessageContaining("inbox.claim.timeout (100 ms)");
            holder.commit();
        }
        assertThat(impatient.process(InboxMessage.of("c", "m1"), () -> database.effect("m1")))
                .isEqualTo(Outcome.DUPLICATE);
        assertThat(database.effects()).isEmpty();
    }

    @Test
    void overlappingListsInOppositeOrderNeitherDeadlockNorRepeat() throws Exception {
        JdbcInbox inbox = database.inbox();
        for (int round = 0; round < 100; round++) {
            int number = round;
            List<InboxMessage> there = List.of(
                    InboxMessage.of("c", "a" + number),
                    InboxMessage.of("c", "b" + number),
                    InboxMessage.of("c", "c" + number));
            List<InboxMessage> back = new ArrayList<>(there);
            Collections.reverse(back);
            CyclicBarrier start = new CyclicBarrier(2);
            Future<Integer> first = threads.submit(() -> {
                start.await();
                return inbox.processAll(there, fresh -> fresh.forEach(m -> database.effect(String.valueOf(m.id()))));
            });
            Future<Integer> second = threads.submit(() -> {
                start.await();
                return inbox.processAll(back, fresh -> fresh.forEach(m -> database.effect(String.valueOf(m.id()))));
            });
            assertThat(first.get(30, TimeUnit.SECONDS) + second.get(30, TimeUnit.SECONDS))
                    .isEqualTo(3);
        }
        assertThat(database.effects()).hasSize(300).doesNotHaveDuplicates();
    }

    private static Outcome deliver(String id) {
        return database.inbox().process(InboxMessage.of("c", id), () -> database.effect(id));
    }

    /** A delivery whose handler waits to be told how to end. */
    private static final class Holder implements AutoCloseable {

        private final CountDownLatch claimed = new CountDownLatch(1);
        private final CompletableFuture<Boolean> commits = new CompletableFuture<>();
        private final Future<?> running;

        Holder(String id) throws InterruptedException {
            running = threads.submit(() -> database.inbox().process(InboxMessage.of("c", id), () -> {
                claimed.countDown();
                if (!commits.get(30, TimeUnit.SECONDS)) {
                    throw new IOException("planned");
                }
            }));
            assertThat(claimed.await(10, TimeUnit.SECONDS)).isTrue();
        }

        void commit() {
            commits.complete(true);
        }

        void rollback() {
            commits.complete(false);
        }

        @Override
        public void close() {
            commits.complete(false);
            while (!running.isDone()) {
                Thread.onSpinWait();
            }
        }
    }
}
