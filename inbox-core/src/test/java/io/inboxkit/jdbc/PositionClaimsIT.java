package io.inboxkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.inboxkit.InboxMessage;
import io.inboxkit.InboxUnavailableException;
import io.inboxkit.MessageInProgressException;
import io.inboxkit.Outcome;
import io.inboxkit.Position;
import io.inboxkit.TrackedPosition;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages that are known by their positions: a consumer has one row for each partition, which only goes forward. */
class PositionClaimsIT {

    @RegisterExtension
    static final InboxDatabase database = new InboxDatabase();

    private final JdbcInbox inbox = database.inbox();

    @BeforeEach
    void clear() {
        database.clear();
    }

    @Test
    void redeliveryAndRewindAreSkipped() {
        for (int offset = 0; offset < 5; offset++) {
            assertThat(deliver(offset)).isEqualTo(Outcome.PROCESSED);
        }
        assertThat(deliver(4)).isEqualTo(Outcome.DUPLICATE);
        assertThat(deliver(0)).isEqualTo(Outcome.DUPLICATE);
        assertThat(deliver(5)).isEqualTo(Outcome.PROCESSED);

        assertThat(database.effects()).containsExactly("0", "1", "2", "3", "4", "5");
        assertThat(rows()).isOne();
    }

    @Test
    void gapIsNoError() {
        deliver(0);
        assertThat(deliver(17)).isEqualTo(Outcome.PROCESSED);
        assertThat(deliver(16)).isEqualTo(Outcome.DUPLICATE);
    }

    @Test
    void failureOfTheHandlerLeavesThePositionWhereItWas() {
        deliver(0);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> inbox.process(TestPosition.message("c", 1), () -> {
                    throw new IllegalStateException("planned");
                }));
        assertThat(deliver(1)).isEqualTo(Outcome.PROCESSED);
    }

    @Test
    void consumersTopicsAndPartitionsAreApart() {
        deliver(7);
        assertThat(inbox.process(TestPosition.message("other", 3), () -> {})).isEqualTo(Outcome.PROCESSED);
        assertThat(at(TestPosition.TOPIC, 1, 3)).isEqualTo(Outcome.PROCESSED);
        assertThat(at(UUID.randomUUID(), 0, 3)).isEqualTo(Outcome.PROCESSED);
        assertThat(rows()).isEqualTo(4);
    }

    @Test
    void messageOfALaterLeaderBelowThePositionWasWrittenAfterATruncation() {
        deliver(100, 3);

        assertThat(deliver(80, 5)).isEqualTo(Outcome.PROCESSED);
        assertThat(deliver(80, 5)).isEqualTo(Outcome.DUPLICATE);
        assertThat(deliver(81, 5)).isEqualTo(Outcome.PROCESSED);
        // What was cut off, from the buffer of an owner that was frozen: to go there would skip what is written there
        // now.
        assertThat(deliver(101, 3)).isEqualTo(Outcome.DUPLICATE);
        assertThat(deliver(82, 5)).isEqualTo(Outcome.PROCESSED);
        assertThat(deliver(10, 3)).isEqualTo(Outcome.DUPLICATE);
    }

    @Test
    void withoutAnEpochTheOffsetDecides() {
        deliver(100, TrackedPosition.UNKNOWN_EPOCH);
        assertThat(deliver(80, 5)).isEqualTo(Outcome.DUPLICATE);
        assertThat(deliver(101, 5)).isEqualTo(Outcome.PROCESSED);
        assertThat(deliver(102, TrackedPosition.UNKNOWN_EPOCH)).isEqualTo(Outcome.PROCESSED);
        assertThat(deliver(60, 5)).isEqualTo(Outcome.DUPLICATE);
        assertThat(deliver(60, 6)).isEqualTo(Outcome.PROCESSED);
    }

    @Test
    void logThatIsNoLongerTheSameIsNotSkipped() {
        deliver(9);
        InboxUnavailableException changed = new InboxUnavailableException("planned", null);
        TrackedPosition of = new TrackedPosition() {
            @Override
            public Position position() {
                return new Position(TestPosition.TOPIC, 0, 4);
            }

            @Override
            public int leaderEpoch() {
                return 0;
            }

            @Override
            public void confirm() {
                throw changed;
            }
        };

        assertThatExceptionOfType(InboxUnavailableException.class)
                .isThrownBy(() -> inbox.process(InboxMessage.tracked("c", of), () -> {}))
                .isSameAs(changed);
    }

    @Test
    void secondOwnerWaitsAndThenSeesHowFarTheFirstHasCome() throws Exception {
        deliver(0);
        CompletableFuture<Outcome> second = new CompletableFuture<>();
        inbox.process(TestPosition.message("c", 1), () -> {
            second.completeAsync(() -> deliver(1));
            database.awaitLockWait();
        });

        assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo(Outcome.DUPLICATE);
    }

    @Test
    void secondOwnerThatWaitsTooLongIsUndecided() {
        JdbcInbox impatient =
                database.builder().claimTimeout(Duration.ofMillis(50)).build();
        inbox.process(TestPosition.message("c", 0), () -> assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> CompletableFuture.supplyAsync(
                                () -> impatient.process(TestPosition.message("c", 0), () -> {}))
                        .join())
                .withCauseInstanceOf(MessageInProgressException.class)
                .withMessageContaining("inbox.claim.timeout"));
    }

    @Test
    void handlerFindsItsLockTimeoutAsItWas() {
        database.transactions().executeWithoutResult(status -> {
            database.jdbc().execute("set local lock_timeout = '1234ms'");
            inbox.process(TestPosition.message("c", 1), () -> assertThat(database.setting("lock_timeout"))
                    .isEqualTo("1234ms"));
            inbox.process(TestPosition.message("c", 1), () -> {});
            assertThat(database.setting("lock_timeout")).isEqualTo("1234ms");
        });
    }

    @Test
    void renamedConsumerKeepsItsPositionAndARetiredOneLosesIt() {
        deliver(5);
        inbox.rename("c", "renamed");
        assertThat(inbox.process(TestPosition.message("renamed", 5), () -> {})).isEqualTo(Outcome.DUPLICATE);

        inbox.retire("renamed");
        assertThat(rows()).isZero();
        // As with ids, a consumer that goes on after its retirement begins anew.
        assertThat(inbox.process(TestPosition.message("renamed", 5), () -> {})).isEqualTo(Outcome.PROCESSED);
    }

    private Outcome deliver(long offset) {
        return deliver(offset, 0);
    }

    private Outcome deliver(long offset, int leaderEpoch) {
        return inbox.process(
                TestPosition.message("c", offset, leaderEpoch), () -> database.effect(String.valueOf(offset)));
    }

    private Outcome at(UUID topic, int partition, long offset) {
        Position position = new Position(topic, partition, offset);
        return inbox.process(InboxMessage.tracked("c", new TestPosition(position, 0)), () -> {});
    }

    private static int rows() {
        return List.of(database.jdbc().queryForObject("select count(*)::integer from inbox_position", Integer.class))
                .get(0);
    }
}
