package io.inboxkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class InboxAttemptTest {

    private final InboxMessage message = InboxMessage.of("billing", "m1");

    @Test
    void keyIsTheSameForEveryDeliveryOfAMessage() {
        InboxMessage again = InboxMessage.of("billing", "m1")
                .position(new Position(new UUID(1, 1), 0, 7))
                .fingerprint(new byte[] {1})
                .route(DeliveryRoute.REPLAY);

        assertThat(key(again)).isEqualTo(key(message));
        assertThat(InboxAttempt.transactional(message, 7).idempotencyKey()).isEqualTo(key(message));
    }

    @Test
    void keyIsAUuidWhoseFormNeverChanges() {
        // Providers have seen these: another form would let them do the same thing twice.
        assertThat(key(message)).isEqualTo("f91636a6-c2ed-8924-886b-66d01fededec");
        assertThat(key(message.scope("tenant"))).isEqualTo("fab29a7a-f063-8614-82f4-363b506a1960");
        assertThat(UUID.fromString(key(message)).version()).isEqualTo(8);
    }

    @Test
    void keyIsAnotherOneForAnotherConsumerScopeOrId() {
        assertThat(new String[] {
                    key(message),
                    key(InboxMessage.of("billingm", "1")),
                    key(InboxMessage.of("billin", "gm1")),
                    key(message.scope("")),
                    key(message.scope("a")),
                    key(InboxMessage.of("billing", "am1")),
                    key(InboxMessage.of("billing", "m2"))
                })
                .doesNotHaveDuplicates();
    }

    @Test
    void positionTakesThePlaceOfAnIdWhereMessagesAreKnownByIt() {
        Position position = new Position(new UUID(1, 1), 0, 7);

        assertThat(key(InboxMessage.tracked("billing", new At(position))))
                .isEqualTo(key(InboxMessage.of("billing", "position:00000000-0000-0001-0000-000000000001-0@7")));
    }

    @Test
    void messageWithoutIdHasNoKey() {
        assertThatThrownBy(() -> key(InboxMessage.withoutId("billing")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("consumer 'billing'")
                .hasMessageContaining("onMissingId = USE_POSITION");
    }

    @Test
    void nothingOfAnEarlierAttemptIsLeftInATransaction() {
        InboxAttempt attempt = InboxAttempt.transactional(message, 3);

        assertThat(attempt.number()).isEqualTo(3);
        assertThat(attempt.mayHaveTakenEffect()).isFalse();
        assertThat(attempt.expired()).isFalse();
        assertThat(attempt.replay()).isFalse();
        assertThat(InboxAttempt.transactional(message.route(DeliveryRoute.DEAD_LETTER_REPLAY), 1)
                        .replay())
                .isTrue();
        assertThatThrownBy(attempt::complete)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Remove the call of complete()");
        assertThatThrownBy(() -> InboxAttempt.transactional(message, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    private static String key(InboxMessage of) {
        return InboxAttempt.transactional(of, 1).idempotencyKey();
    }

    private record At(Position position) implements TrackedPosition {

        @Override
        public int leaderEpoch() {
            return UNKNOWN_EPOCH;
        }

        @Override
        public void confirm() {
            // Its log is always what it was.
        }
    }
}
