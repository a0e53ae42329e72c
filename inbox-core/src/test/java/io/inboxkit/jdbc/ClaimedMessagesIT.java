package io.inboxkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.inboxkit.ClaimedMessages;
import io.inboxkit.ConsumerSettings;
import io.inboxkit.InboxMessage;
import io.inboxkit.ReusedIdPolicy;
import io.inboxkit.ReusedMessageIdException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ClaimedMessagesIT {

    @RegisterExtension
    static final InboxDatabase database = new InboxDatabase();

    private static final ConsumerSettings SETTINGS = ConsumerSettings.of(ReusedIdPolicy.REJECT, Duration.ofDays(7));

    private final JdbcInbox inbox = database.inbox();

    @BeforeEach
    void noEffects() {
        database.clear();
    }

    @Test
    void placesOfNewMessagesAreTold() {
        inbox.process(message("known"), () -> {});
        List<Integer> fresh = new ArrayList<>();

        int count = inbox.processAll(
                List.of(message("b"), message("known"), message("b"), message("a"), InboxMessage.withoutId("c")),
                SETTINGS,
                claimed -> {
                    fresh.addAll(claimed.fresh());
                    claimed.commit();
                });

        assertThat(count).isEqualTo(3);
        assertThat(fresh).containsExactly(0, 3, 4);
    }

    @Test
    void messagesWithoutIdNeedNoClaim() {
        assertThat(inbox.processAll(
                        List.of(InboxMessage.withoutId("c"), InboxMessage.withoutId("c")), SETTINGS, claimed -> {
                            database.effect("both");
                            claimed.commit();
                        }))
                .isEqualTo(2);

        assertThat(database.effects()).containsExactly("both");
    }

    @Test
    void workThatDoesNotCommitIsRolledBack() {
        assertThat(inbox.processAll(List.of(message("a")), SETTINGS, claimed -> database.effect("a")))
                .isZero();

        assertThat(database.effects()).isEmpty();
        assertThat(inbox.find("c", "a")).isEmpty();
    }

    @Test
    void whatFollowsTheEndOfTheTransactionIsOutsideOfIt() {
        inbox.processAll(List.of(message("a")), SETTINGS, claimed -> {
            database.effect("inside");
            claimed.rollback();
            database.effect("outside");
        });

        assertThat(database.effects()).containsExactly("outside");
        assertThat(inbox.find("c", "a")).isEmpty();
    }

    @Test
    void refusedMessageIsToldByItsPlaceAndReason() {
        inbox.process(message("old").fingerprint(new byte[] {1}), () -> {});
        List<InboxMessage> messages = List.of(
                message("a"),
                message("old").fingerprint(new byte[] {2}),
                message("a").fingerprint(new byte[] {3}));

        inbox.processAll(messages, SETTINGS, claimed -> {
            ClaimedMessages.Refusal refusal = Objects.requireNonNull(claimed.refusal());
            assertThat(refusal.index()).isEqualTo(1);
            assertThat(refusal.reason()).isInstanceOf(ReusedMessageIdException.class);
        });

        assertThat(inbox.find("c", "a")).isEmpty();
    }

    @Test
    void conflictIsTriedAgainAndLastOneGoesOn() {
        List<Boolean> retried = new ArrayList<>();
        SQLException conflict = new SQLException("conflict", "40001");

        assertThatThrownBy(() -> inbox.processAll(List.of(message("a")), SETTINGS, claimed -> {
                    retried.add(claimed.isRetried(conflict));
                    assertThat(claimed.isRetried(new IllegalStateException())).isFalse();
                    throw conflict;
                }))
                .isSameAs(conflict);

        assertThat(retried).containsExactly(true, true, false);
    }

    private static InboxMessage message(String id) {
        return InboxMessage.of("c", id);
    }
}
