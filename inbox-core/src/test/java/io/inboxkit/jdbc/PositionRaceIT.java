package io.inboxkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.inboxkit.ConsumerSettings;
import io.inboxkit.ReusedIdPolicy;
import io.inboxkit.testkit.Race;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two owners of one partition, as after a rebalance that one of them has not noticed. */
class PositionRaceIT {

    private static final int MESSAGES = 300;

    @RegisterExtension
    static final InboxDatabase database = new InboxDatabase();

    @BeforeEach
    void clear() {
        database.clear();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void eachMessageHasOneEffectWhoeverIsFirst(int isolation) {
        Race race = new Race(Duration.ofSeconds(60));
        long seed = race.random().nextLong();
        ConsumerSettings settings =
                ConsumerSettings.of(ReusedIdPolicy.REJECT, Duration.ofDays(7)).transaction(isolation, null);
        JdbcInbox inbox = database.builder().attempts(50).build();

        List<Race.Finish<Object>> owners =
                race.run(2, owner -> owner(inbox, settings, new Random(seed + owner), "race" + isolation));

        assertThat(owners).allSatisfy(owner -> assertThat(owner.thrown()).isNull());
        assertThat(database.effects())
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, MESSAGES).mapToObj(String::valueOf).toList());
    }

    /** Handles all messages in order, goes back now and then, and fails now and then. */
    private static Callable<Object> owner(JdbcInbox inbox, ConsumerSettings settings, Random random, String consumer) {
        return () -> {
            int offset = 0;
            while (offset < MESSAGES) {
                String effect = String.valueOf(offset);
                boolean fails = random.nextInt(10) == 0;
                try {
                    inbox.process(TestPosition.message(consumer, offset), settings, () -> {
                        database.effect(effect);
                        if (fails) {
                            throw new PlannedFailure();
                        }
                    });
                    offset = random.nextInt(20) == 0 ? Math.max(0, offset - random.nextInt(10)) : offset + 1;
                } catch (PlannedFailure redelivered) {
                    assertThat(fails).isTrue();
                }
            }
            return consumer;
        };
    }

    private static final class PlannedFailure extends RuntimeException {

        private static final long serialVersionUID = 1L;
    }
}
