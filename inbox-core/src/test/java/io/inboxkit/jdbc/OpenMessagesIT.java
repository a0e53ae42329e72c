package io.inboxkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.inboxkit.ConsumerSettings;
import io.inboxkit.EntryState;
import io.inboxkit.InboxEntry;
import io.inboxkit.InboxMessage;
import io.inboxkit.MessageInProgressException;
import io.inboxkit.Outcome;
import io.inboxkit.Position;
import io.inboxkit.ReusedIdPolicy;
import io.inboxkit.ReusedMessageIdException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OpenMessagesIT {

    private static final String CONSUMER = "c";
    private static final UUID TOPIC = UUID.randomUUID();

    @RegisterExtension
    static final InboxDatabase database = new InboxDatabase();

    private final JdbcInbox inbox = database.inbox();

    @BeforeEach
    void noEffects() {
        database.clear();
    }

    @Test
    void failedMessageIsOpenWithItsPositionUntilItIsProcessed() {
        InboxMessage message = InboxMessage.of(CONSUMER, "m1").scope("tenant").position(new Position(TOPIC, 3, 7));
        fail(message);
        fail(message);

        assertThat(inbox.find(CONSUMER, "tenant", "m1"))
                .hasValue(new InboxEntry(EntryState.OPEN, null, new Position(TOPIC, 3, 7)));
        assertThat(inbox.find(CONSUMER, "m1")).isEmpty();
        assertThat(database.jdbc().queryForList("select attempts || ' ' || reason from inbox_open", String.class))
                .containsExactly("2 java.lang.IllegalStateException: handler");
        assertThat(open()).isEqualTo(1);

        assertThat(inbox.process(message, () -> {})).isEqualTo(Outcome.PROCESSED);

        assertThat(inbox.find(CONSUMER, "tenant", "m1")).map(InboxEntry::state).hasValue(EntryState.PROCESSED);
        assertThat(open()).isZero();
    }

    @Test
    void openMessageStaysOpenWhenItFailsAgain() {
        fail(InboxMessage.of(CONSUMER, "m1"));
        fail(InboxMessage.of(CONSUMER, "m1"));

        assertThat(inbox.find(CONSUMER, "m1")).map(InboxEntry::state).hasValue(EntryState.OPEN);
    }

    @Test
    void messageThatIsFailedByTheCommitIsOpen() {
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() ->
                        inbox.process(InboxMessage.of(CONSUMER, "m1"), () -> database.effectWithoutParent("effect")));

        assertThat(inbox.find(CONSUMER, "m1")).map(InboxEntry::state).hasValue(EntryState.OPEN);
    }

    @Test
    void messageIsOpenAfterTheOuterTransactionHasEnded() {
        assertThatIllegalStateException()
                .isThrownBy(() -> database.transactions().executeWithoutResult(status -> {
                    database.effect("outer");
                    inbox.process(InboxMessage.of(CONSUMER, "m1"), () -> {
                        throw new IllegalStateException("handler");
                    });
                }));

        assertThat(inbox.find(CONSUMER, "m1")).map(InboxEntry::state).hasValue(EntryState.OPEN);
        assertThat(database.effects()).isEmpty();
    }

    @Test
    void eachMessageOfAFailedListIsOpen() {
        inbox.process(InboxMessage.of(CONSUMER, "known"), () -> {});
        List<InboxMessage> list = List.of(
                InboxMessage.of(CONSUMER, "m1"),
                InboxMessage.of(CONSUMER, "known"),
                InboxMessage.of(CONSUMER, "m2").position(new Position(TOPIC, 0, 1)));

        assertThatIllegalStateException()
                .isThrownBy(() -> inbox.processAll(list, fresh -> {
                    throw new IllegalStateException("work");
                }));

        assertThat(open()).isEqualTo(2);
        assertThat(inbox.processAll(list, fresh -> {})).isEqualTo(2);
        assertThat(open()).isZero();
    }

    @Test
    void undecidedMessageIsNotOpen() {
        JdbcInbox impatient = database.builder()
                .migrate(false)
                .claimTimeout(Duration.ofMillis(50))
                .build();
        inbox.process(InboxMessage.of(CONSUMER, "m1"), () -> {
            Thread other = new Thread(() -> assertThatExceptionOfType(MessageInProgressException.class)
                    .isThrownBy(() -> impatient.process(InboxMessage.of(CONSUMER, "m1"), () -> {})));
            other.start();
            other.join();
        });

        assertThat(open()).isZero();
    }

    @Test
    void refusedMessageIsOpenUnderItsPositionSinceItsIdIsThatOfAnother() {
        InboxMessage first = InboxMessage.of(CONSUMER, "m1").position(new Position(TOPIC, 0, 1));
        InboxMessage other = InboxMessage.of(CONSUMER, "m1").position(new Position(TOPIC, 0, 2));
        inbox.process(first.fingerprint(new byte[] {1}), () -> {});
        assertThatExceptionOfType(ReusedMessageIdException.class)
                .isThrownBy(() -> inbox.process(other.fingerprint(new byte[] {2}), () -> {}));

        assertThat(inbox.find(CONSUMER, "m1")).map(InboxEntry::state).hasValue(EntryState.PROCESSED);
        assertThat(open()).isEqualTo(1);

        assertThat(inbox.forget(CONSUMER, "m1")).isTrue();
        assertThat(inbox.process(other.fingerprint(new byte[] {2}), () -> {})).isEqualTo(Outcome.PROCESSED);
        assertThat(open()).isZero();
    }

    @Test
    void messageThatNeverReachedTheInboxIsOpenByItsPosition() {
        Position position = new Position(TOPIC, 0, 5);
        inbox.register(CONSUMER, ConsumerSettings.of(ReusedIdPolicy.REJECT, Duration.ofDays(1)));
        inbox.leaveOpen(
                List.of(InboxMessage.withoutId(CONSUMER).position(position)), new IllegalStateException("no id"));
        assertThat(open()).isEqualTo(1);

        assertThat(inbox.process(InboxMessage.of(CONSUMER, "found").position(position), () -> {}))
                .isEqualTo(Outcome.PROCESSED);

        assertThat(open()).isZero();
    }

    @Test
    void failureThatIsNotedAfterAnotherDeliveryWasProcessedLeavesNothingOpen() {
        inbox.process(InboxMessage.of(CONSUMER, "m1"), () -> {});

        inbox.leaveOpen(List.of(InboxMessage.of(CONSUMER, "m1")), new IllegalStateException("late"));

        assertThat(open()).isZero();
    }

    @Test
    void forgottenMessageIsOpen() {
        inbox.process(InboxMessage.of(CONSUMER, "m1").position(new Position(TOPIC, 0, 1)), () -> {});

        assertThat(inbox.forget(CONSUMER, "m1")).isTrue();
        assertThat(inbox.find(CONSUMER, "m1")).map(InboxEntry::state).hasValue(EntryState.OPEN);
        assertThat(inbox.forget(CONSUMER, "m1")).isFalse();
    }

    @Test
    void discardedMessageIsNoLongerOpen() {
        Position position = new Position(TOPIC, 0, 9);
        fail(InboxMessage.of(CONSUMER, "m1"));
        inbox.leaveOpen(List.of(InboxMessage.withoutId(CONSUMER).position(position)), new IllegalStateException("x"));

        assertThat(inbox.discard(CONSUMER, "m1")).isTrue();
        assertThat(inbox.discard(CONSUMER, "m1")).isFalse();
        assertThat(inbox.find(CONSUMER, "m1")).isEmpty();
        assertThat(inbox.discard(CONSUMER, position)).isTrue();
        assertThat(open()).isZero();
    }

    @Test
    void openMessagesFollowARenamedConsumerAndGoWithARetiredOne() {
        fail(InboxMessage.of("old", "m1"));

        inbox.rename("old", "renamed");
        assertThat(inbox.find("renamed", "m1")).map(InboxEntry::state).hasValue(EntryState.OPEN);

        inbox.retire("renamed");
        assertThat(inbox.find("renamed", "m1")).isEqualTo(Optional.empty());
        assertThat(open()).isZero();
    }

    private void fail(InboxMessage message) {
        assertThatIllegalStateException()
                .isThrownBy(() -> inbox.process(message, () -> {
                    throw new IllegalStateException("handler");
                }));
    }

    private int open() {
        Integer count = database.jdbc().queryForObject("select count(*) from inbox_open", Integer.class);
        return count == null ? 0 : count;
    }
}
