package io.inboxkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.inboxkit.ConsumerSettings;
import io.inboxkit.EntryState;
import io.inboxkit.InboxEntry;
import io.inboxkit.InboxMessage;
import io.inboxkit.InboxUnavailableException;
import io.inboxkit.Outcome;
import io.inboxkit.Position;
import io.inboxkit.ReusedIdPolicy;
import io.inboxkit.ReusedMessageIdException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionTemplate;

class JdbcInboxIT {

    private static final String CONSUMER = "billing:payments";

    @RegisterExtension
    static final InboxDatabase database = new InboxDatabase();

    private final JdbcInbox inbox = database.inbox();

    @BeforeEach
    void noEffects() {
        database.clear();
    }

    @Test
    void secondDeliveryRunsNothing() {
        assertThat(inbox.process(message("m1"), () -> database.effect("m1"))).isEqualTo(Outcome.PROCESSED);
        assertThat(inbox.process(message("m1"), () -> database.effect("m1"))).isEqualTo(Outcome.DUPLICATE);

        assertThat(database.effects()).containsExactly("m1");
    }

    @Test
    void idsAreUniqueWithinConsumerAndScope() {
        List<InboxMessage> different = List.of(
                message("m1"),
                InboxMessage.of("shipping:payments", "m1"),
                message("m1").scope("tenant-a"),
                message("m1").scope("tenant-b"),
                message("1").scope("tenant-am"),
                InboxMessage.of(CONSUMER, UUID.randomUUID().toString()));

        different.forEach(message -> inbox.process(message, () -> database.effect("e")));
        different.forEach(message -> inbox.process(message, () -> database.effect("e")));

        assertThat(database.effects()).hasSize(different.size());
    }

    @Test
    void failureRollsBackAndReachesTheCallerUnchanged() {
        IOException failure = new IOException("checked");

        assertThatThrownBy(() -> inbox.process(message("m1"), () -> {
                    database.effect("m1");
                    throw failure;
                }))
                .isSameAs(failure);

        assertThat(database.effects()).isEmpty();
        assertThat(inbox.find(CONSUMER, "m1")).map(InboxEntry::state).hasValue(EntryState.OPEN);
        assertThat(inbox.process(message("m1"), () -> database.effect("m1"))).isEqualTo(Outcome.PROCESSED);
    }

    @Test
    void swallowedSqlErrorIsAFailure() {
        assertThatExceptionOfType(UnexpectedRollbackException.class)
                .isThrownBy(() -> inbox.process(message("m1"), () -> {
                    database.effect("m1");
                    try {
                        database.jdbc().execute("select * from no_such_table");
                    } catch (DataAccessException swallowed) {
                        // as a handler would that takes the error for harmless
                    }
                }))
                .withMessageContaining("error was swallowed")
                .withMessageContaining("billing:payments");

        assertThat(database.effects()).isEmpty();
        assertThat(inbox.find(CONSUMER, "m1")).map(InboxEntry::state).hasValue(EntryState.OPEN);
    }

    @Test
    void transactionThatTheHandlerHasEndedIsAFailure() {
        assertThatExceptionOfType(UnexpectedRollbackException.class)
                .isThrownBy(() -> inbox.process(message("m1"), () -> {
                    database.effect("m1");
                    database.jdbc().execute("rollback");
                }))
                .withMessageContaining("ended it itself");

        assertThat(database.effects()).isEmpty();
        assertThat(inbox.find(CONSUMER, "m1")).map(InboxEntry::state).hasValue(EntryState.OPEN);
    }

    @Test
    void rollbackOnlyIsAFailure() {
        assertThatExceptionOfType(UnexpectedRollbackException.class)
                .isThrownBy(() -> inbox.process(
                        message("m1"), () -> database.transactions().executeWithoutResult(status -> {
                            database.effect("m1");
                            status.setRollbackOnly();
                        })));

        assertThat(database.effects()).isEmpty();
        assertThat(inbox.find(CONSUMER, "m1")).map(InboxEntry::state).hasValue(EntryState.OPEN);
    }

    @Test
    void constraintThatFailsAtCommitIsAFailure() {
        assertThatThrownBy(() -> inbox.process(message("m1"), () -> database.effectWithoutParent("m1")))
                .isInstanceOf(DataAccessException.class);

        assertThat(database.effects()).isEmpty();
        assertThat(inbox.find(CONSUMER, "m1")).map(InboxEntry::state).hasValue(EntryState.OPEN);
    }

    @Test
    void outerTransactionIsJoinedAndDecides() {
        database.transactions().executeWithoutResult(status -> {
            assertThat(inbox.process(message("m1"), () -> database.effect("m1")))
                    .isEqualTo(Outcome.PROCESSED);
            status.setRollbackOnly();
        });

        assertThat(database.effects()).isEmpty();
        assertThat(inbox.find(CONSUMER, "m1")).isEmpty();
    }

    @Test
    void duplicateLeavesTheOuterTransactionAsItWas() {
        inbox.process(message("m1"), () -> database.effect("m1"));

        database.transactions().executeWithoutResult(status -> {
            database.jdbc().execute("set local lock_timeout = '1234ms'");
            database.effect("before");
            assertThat(inbox.process(message("m1"), () -> database.effect("again")))
                    .isEqualTo(Outcome.DUPLICATE);
            assertThat(database.setting("lock_timeout")).isEqualTo("1234ms");
        });

        assertThat(database.effects()).containsExactly("before", "m1");
    }

    @Test
    void readOnlyOuterTransactionIsNamedAsTheCause() {
        TransactionTemplate outer = database.transactions();
        outer.setReadOnly(true);

        assertThatThrownBy(() ->
                        outer.executeWithoutResult(status -> inbox.process(message("m1"), () -> database.effect("m1"))))
                .isInstanceOf(InboxUnavailableException.class)
                .hasRootCauseInstanceOf(IllegalTransactionStateException.class)
                .rootCause()
                .hasMessageContaining("read-only");
        assertThat(inbox.find(CONSUMER, "m1")).isEmpty();
    }

    @Test
    void failureMarksTheOuterTransactionRollbackOnly() {
        TransactionTemplate outer = database.transactions();

        assertThatExceptionOfType(UnexpectedRollbackException.class)
                .isThrownBy(() -> outer.executeWithoutResult(status -> {
                    database.effect("before");
                    assertThatThrownBy(() -> inbox.process(message("m1"), () -> {
                                throw new IOException("checked");
                            }))
                            .isInstanceOf(IOException.class);
                }));

        assertThat(database.effects()).isEmpty();
    }

    @Test
    void handlerSeesItsOwnTimeouts() {
        String lockTimeout = database.setting("lock_timeout");
        String statementTimeout = database.setting("statement_timeout");

        inbox.process(message("m1"), () -> {
            assertThat(database.setting("lock_timeout")).isEqualTo(lockTimeout);
            assertThat(database.setting("statement_timeout")).isEqualTo(statementTimeout);
        });
    }

    @Test
    void sameIdWithAnotherPayloadIsRefused() {
        inbox.process(message("m1").fingerprint(bytes("10 EUR")), () -> database.effect("10"));

        assertThatExceptionOfType(ReusedMessageIdException.class)
                .isThrownBy(
                        () -> inbox.process(message("m1").fingerprint(bytes("99 EUR")), () -> database.effect("99")))
                .withMessageContaining(CONSUMER)
                .withMessageNotContaining("99 EUR");

        assertThat(database.effects()).containsExactly("10");
    }

    @Test
    void sameIdWithAnotherPayloadIsSkippedOnRequest() {
        ConsumerSettings skip = ConsumerSettings.of(ReusedIdPolicy.SKIP, Duration.ofDays(7));
        inbox.process(message("m1").fingerprint(bytes("10 EUR")), skip, () -> database.effect("10"));

        assertThat(inbox.process(message("m1").fingerprint(bytes("99 EUR")), skip, () -> database.effect("99")))
                .isEqualTo(Outcome.DUPLICATE);

        assertThat(database.effects()).containsExactly("10");
    }

    @Test
    void samePositionIsTheSameMessageWhateverItsPayload() {
        Position position = new Position(UUID.randomUUID(), 3, 42);
        inbox.process(message("m1").position(position).fingerprint(bytes("encrypted once")), () -> {});

        assertThat(inbox.process(message("m1").position(position).fingerprint(bytes("encrypted twice")), () -> {}))
                .isEqualTo(Outcome.DUPLICATE);
    }

    @Test
    void findTellsStateTimeAndPosition() {
        Position position = new Position(UUID.randomUUID(), 3, 42);
        inbox.process(message("m1").position(position), () -> {});

        assertThat(inbox.find(CONSUMER, "m1")).hasValueSatisfying(entry -> {
            assertThat(entry.state()).isEqualTo(EntryState.PROCESSED);
            assertThat(entry.position()).isEqualTo(position);
            assertThat(entry.processedAt()).isBetween(database.now().minusSeconds(60), database.now());
        });
        assertThat(inbox.find(CONSUMER, "tenant-a", "m1")).isEmpty();
        assertThat(inbox.find("nobody", "m1")).isEmpty();
    }

    @Test
    void forgottenMessageIsProcessedAgain() {
        inbox.process(message("m1"), () -> database.effect("bad"));

        assertThat(inbox.forget(CONSUMER, "m1")).isTrue();
        assertThat(inbox.forget(CONSUMER, "m1")).isFalse();
        inbox.process(message("m1"), () -> database.effect("good"));

        assertThat(database.effects()).containsExactly("bad", "good");
    }

    @Test
    void renamedConsumerKeepsItsMemory() {
        inbox.process(InboxMessage.of("old", "m1"), () -> database.effect("m1"));

        inbox.rename("old", "new");

        assertThat(inbox.process(InboxMessage.of("new", "m1"), () -> database.effect("m1")))
                .isEqualTo(Outcome.DUPLICATE);
        assertThatThrownBy(() -> inbox.rename("nobody", "anybody")).hasMessageContaining("no such consumer");
        inbox.process(InboxMessage.of("third", "m1"), () -> {});
        assertThatThrownBy(() -> inbox.rename("new", "third")).hasMessageContaining("already");
    }

    @Test
    void retiredConsumerLosesItsMemory() {
        inbox.process(InboxMessage.of("retiring", "m1"), () -> database.effect("m1"));

        assertThat(inbox.retire("retiring")).isTrue();
        assertThat(inbox.retire("retiring")).isFalse();

        assertThat(inbox.find("retiring", "m1")).isEmpty();
    }

    @Test
    void tablesThatWereEmptiedUnderARunningApplicationCostNothingButTheMemory() {
        inbox.process(message("m1"), () -> database.effect("m1"));
        inbox.process(InboxMessage.of("other", "m1"), () -> database.effect("m1"));
        database.jdbc().execute("truncate inbox_consumer, inbox_message");

        for (String consumer : List.of("other", CONSUMER)) {
            assertThat(inbox.process(InboxMessage.of(consumer, "m1"), () -> database.effect("again")))
                    .isEqualTo(Outcome.PROCESSED);
            assertThat(inbox.process(InboxMessage.of(consumer, "m1"), () -> database.effect("again")))
                    .isEqualTo(Outcome.DUPLICATE);
        }
    }

    @Test
    void messageWithoutIdIsProcessedInATransaction() {
        assertThatThrownBy(() -> inbox.process(InboxMessage.withoutId(CONSUMER), () -> {
                    database.effect("m1");
                    throw new IOException("checked");
                }))
                .isInstanceOf(IOException.class);
        inbox.process(InboxMessage.withoutId(CONSUMER), () -> database.effect("a"));
        inbox.process(InboxMessage.withoutId(CONSUMER), () -> database.effect("a"));

        assertThat(database.effects()).containsExactly("a", "a");
    }

    @Test
    void idsAreMaskedUnlessTheyMayBeShown() {
        InboxMessage message = message("order-4711-of-customer-42");
        inbox.process(message.fingerprint(bytes("10 EUR")), () -> {});

        assertThatExceptionOfType(ReusedMessageIdException.class)
                .isThrownBy(() -> inbox.process(message.fingerprint(bytes("99 EUR")), () -> {}))
                .withMessageContaining("orde****")
                .withMessageNotContaining("4711");
        JdbcInbox open = database.builder().logMessageIds(true).build();
        assertThatExceptionOfType(ReusedMessageIdException.class)
                .isThrownBy(() -> open.process(message.fingerprint(bytes("99 EUR")), () -> {}))
                .withMessageContaining("order-4711-of-customer-42");
    }

    private static InboxMessage message(String id) {
        return InboxMessage.of(CONSUMER, id);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
