package io.inboxkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.inboxkit.ConsumerSettings;
import io.inboxkit.EntryState;
import io.inboxkit.InboxEntry;
import io.inboxkit.InboxMessage;
import io.inboxkit.InboxObserver;
import io.inboxkit.Outcome;
import io.inboxkit.Position;
import io.inboxkit.ReusedIdPolicy;
import io.inboxkit.ReusedMessageIdException;
import io.inboxkit.StaleAction;
import io.inboxkit.StaleMessageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FloorsIT {

    private static final String CONSUMER = "c";
    private static final UUID TOPIC = UUID.randomUUID();

    @RegisterExtension
    static final InboxDatabase database = new InboxDatabase();

    private final List<InboxObserver.MessageOutcome> outcomes = Collections.synchronizedList(new ArrayList<>());
    private final JdbcInbox inbox = inbox(StaleAction.SKIP);
    private final List<String> handled = new ArrayList<>();

    @BeforeEach
    void noEffects() {
        database.clear();
        inbox.register(CONSUMER, ConsumerSettings.of(ReusedIdPolicy.REJECT, Duration.ofDays(7)));
    }

    @Test
    void recordBelowTheFloorWhoseIdIsGoneIsSkippedAndCountedAsStale() {
        processAndPurge("m1", "m2", "m3");
        outcomes.clear();

        for (int offset = 0; offset < 3; offset++) {
            assertThat(process(inbox, "m" + (offset + 1), offset)).isEqualTo(Outcome.DUPLICATE);
        }

        assertThat(handled).isEmpty();
        assertThat(outcomes)
                .containsExactly(
                        InboxObserver.MessageOutcome.STALE,
                        InboxObserver.MessageOutcome.STALE,
                        InboxObserver.MessageOutcome.STALE);
        assertThat(process(inbox, "m4", 3)).isEqualTo(Outcome.PROCESSED);
    }

    @Test
    void listLeavesStaleMessagesOut() {
        processAndPurge("m1", "m2");
        outcomes.clear();

        int fresh = inbox.processAll(
                List.of(message("m1", 0), message("m3", 2), message("m2", 1)),
                messages -> messages.forEach(message -> handled.add(message.id())));

        assertThat(fresh).isEqualTo(1);
        assertThat(handled).containsExactly("m3");
        assertThat(outcomes)
                .containsExactlyInAnyOrder(
                        InboxObserver.MessageOutcome.STALE,
                        InboxObserver.MessageOutcome.STALE,
                        InboxObserver.MessageOutcome.PROCESSED);
    }

    @Test
    void idsGoOnlyWhenTheFloorHasBeenCommittedForTheMargin() {
        process(inbox, "m1", 0);
        database.age("8 days");

        purge(Duration.ofHours(1));
        assertThat(inbox.find(CONSUMER, "m1")).isPresent();
        assertThat(process(inbox, "m1", 0)).isEqualTo(Outcome.DUPLICATE);
        assertThat(process(inbox, "never seen", 0)).isEqualTo(Outcome.DUPLICATE);

        database.jdbc().update("update inbox_floor set raised_at = raised_at - interval '59 minutes'");
        purge(Duration.ofHours(1));
        assertThat(inbox.find(CONSUMER, "m1")).isPresent();

        database.jdbc().update("update inbox_floor set raised_at = raised_at - interval '2 minutes'");
        purge(Duration.ofHours(1));
        assertThat(inbox.find(CONSUMER, "m1")).isEmpty();
        assertThat(outcomes).endsWith(InboxObserver.MessageOutcome.STALE);
    }

    @Test
    void floorHoldsForItsPartitionAndTopicIdOnly() {
        processAndPurge("m1", "m2", "m3");

        Position sameTopic = new Position(TOPIC, 1, 0);
        Position createdAgain = new Position(UUID.randomUUID(), 0, 0);
        assertThat(inbox.process(InboxMessage.of(CONSUMER, "a").position(sameTopic), () -> {}))
                .isEqualTo(Outcome.PROCESSED);
        assertThat(inbox.process(InboxMessage.of(CONSUMER, "b").position(createdAgain), () -> {}))
                .isEqualTo(Outcome.PROCESSED);
        assertThat(inbox.process(InboxMessage.of("other", "m1").position(new Position(TOPIC, 0, 0)), () -> {}))
                .isEqualTo(Outcome.PROCESSED);
        assertThat(inbox.process(InboxMessage.of(CONSUMER, "m1"), () -> {})).isEqualTo(Outcome.PROCESSED);
    }

    @Test
    void openMessageIsProcessedBelowTheFloorOnce() {
        assertThatIllegalStateException()
                .isThrownBy(() -> inbox.process(message("open", 0), () -> {
                    throw new IllegalStateException("handler");
                }));
        process(inbox, "m2", 1);
        database.age("8 days");
        purge(Duration.ZERO);

        assertThat(process(inbox, "open", 0)).isEqualTo(Outcome.PROCESSED);
        assertThat(process(inbox, "open", 0)).isEqualTo(Outcome.DUPLICATE);

        database.age("8 days");
        purge(Duration.ZERO);
        assertThat(inbox.find(CONSUMER, "open")).isEmpty();
        assertThat(process(inbox, "open", 0)).isEqualTo(Outcome.DUPLICATE);
        assertThat(handled).containsExactly("m2", "open");
    }

    @Test
    void openMessageOfAListIsProcessedBelowTheFloor() {
        assertThatIllegalStateException()
                .isThrownBy(() -> inbox.process(message("open", 0), () -> {
                    throw new IllegalStateException("handler");
                }));
        process(inbox, "m2", 1);
        database.age("8 days");
        purge(Duration.ZERO);

        assertThat(inbox.processAll(List.of(message("m2", 1), message("open", 0)), fresh -> {}))
                .isEqualTo(1);
        assertThat(inbox.find(CONSUMER, "open")).map(InboxEntry::state).hasValue(EntryState.PROCESSED);
    }

    @Test
    void refusedMessageIsProcessedBelowTheFloorButNotTheOneThatHadItsIdFirst() {
        inbox.process(message("m1", 0).fingerprint(new byte[] {1}), () -> {});
        assertThatExceptionOfType(ReusedMessageIdException.class)
                .isThrownBy(() -> inbox.process(message("m1", 1).fingerprint(new byte[] {2}), () -> {}));
        process(inbox, "m3", 2);
        database.age("8 days");
        purge(Duration.ZERO);

        assertThat(inbox.process(message("m1", 0).fingerprint(new byte[] {1}), () -> {}))
                .isEqualTo(Outcome.DUPLICATE);
        assertThat(inbox.process(message("m1", 1).fingerprint(new byte[] {2}), () -> {}))
                .isEqualTo(Outcome.PROCESSED);
    }

    @Test
    void staleMessageIsProcessedOrRefusedAsTheActionSays() {
        processAndPurge("m1", "m2", "m3");

        assertThatExceptionOfType(StaleMessageException.class)
                .isThrownBy(() -> process(inbox(StaleAction.REJECT), "m1", 0))
                .withMessageContaining("inbox.stale.action");
        assertThatExceptionOfType(StaleMessageException.class)
                .isThrownBy(() -> inbox(StaleAction.REJECT).processAll(List.of(message("m1", 0)), fresh -> {}));
        assertThat(outcomes).endsWith(InboxObserver.MessageOutcome.STALE);
        assertThat(inbox.find(CONSUMER, "m1")).isEmpty();
        assertThat(handled).isEmpty();

        assertThat(process(inbox(StaleAction.PROCESS), "m1", 0)).isEqualTo(Outcome.PROCESSED);
        assertThat(process(inbox, "m1", 0)).isEqualTo(Outcome.DUPLICATE);
        assertThat(inbox(StaleAction.PROCESS).processAll(List.of(message("m2", 1)), fresh -> {}))
                .isEqualTo(1);
    }

    @Test
    void staleMessageInAnOuterTransactionLeavesTheTransactionUsable() {
        processAndPurge("m1");

        database.transactions().executeWithoutResult(status -> {
            assertThat(process(inbox, "m1", 0)).isEqualTo(Outcome.DUPLICATE);
            assertThat(process(inbox, "m2", 1)).isEqualTo(Outcome.PROCESSED);
            assertThat(database.setting("lock_timeout")).isEqualTo("0");
        });

        assertThat(inbox.find(CONSUMER, "m2")).isPresent();
    }

    @Test
    void floorsAreRaisedInStepsAndOldOnesGo() {
        processAndPurge("m1", "m2");
        process(inbox, "m3", 2);
        database.age("8 days");
        purge(Duration.ZERO);
        purge(Duration.ZERO);

        assertThat(database.jdbc().queryForList("select floor_offset from inbox_floor", Long.class))
                .containsExactly(2L);
    }

    @Test
    void idOfATransactionThatEndedAfterTheFloorsWereRaisedIsKeptUntilOneIsRaisedOverIt() {
        process(inbox, "m1", 0);
        database.age("8 days");
        purge(Duration.ZERO);
        // As if its transaction had been open all the time.
        process(inbox, "late", 5);
        database.jdbc().update("update inbox_message set processed_at = processed_at - interval '9 days'");

        purge(Duration.ofHours(1));
        assertThat(inbox.find(CONSUMER, "late")).isPresent();

        purge(Duration.ZERO);
        assertThat(process(inbox, "late", 5)).isEqualTo(Outcome.DUPLICATE);
    }

    private void processAndPurge(String... ids) {
        for (int offset = 0; offset < ids.length; offset++) {
            process(inbox, ids[offset], offset);
        }
        database.age("8 days");
        purge(Duration.ZERO);
        for (String id : ids) {
            assertThat(inbox.find(CONSUMER, id)).isEmpty();
        }
        handled.clear();
    }

    private Outcome process(JdbcInbox by, String id, long offset) {
        return by.process(message(id, offset), () -> handled.add(id));
    }

    private static InboxMessage message(String id, long offset) {
        return InboxMessage.of(CONSUMER, id).position(new Position(TOPIC, 0, offset));
    }

    private void purge(Duration margin) {
        new InboxPurge(List.of(inbox), new InboxPurge.Settings(Duration.ofMinutes(1), 2, margin), InboxObserver.NONE)
                .run();
    }

    private JdbcInbox inbox(StaleAction action) {
        return database.builder()
                .migrate(false)
                .staleAction(action)
                .observer(new InboxObserver() {
                    @Override
                    public void outcome(String consumer, MessageOutcome outcome) {
                        outcomes.add(outcome);
                    }
                })
                .build();
    }
}
