package io.inboxkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DuplicateOriginTest {

    private static final UUID TOPIC = new UUID(1, 1);
    private static final Position FIRST = new Position(TOPIC, 0, 42);

    private final InboxMessage message = InboxMessage.of("billing", "m1");

    @Test
    void samePositionIsARedelivery() {
        assertThat(DuplicateOrigin.of(message.position(new Position(TOPIC, 0, 42)), FIRST))
                .isEqualTo(DuplicateOrigin.REDELIVERY);
    }

    @Test
    void otherPartitionOffsetOrTopicIsTheProducers() {
        assertThat(DuplicateOrigin.of(message.position(new Position(TOPIC, 1, 42)), FIRST))
                .isEqualTo(DuplicateOrigin.PRODUCER);
        assertThat(DuplicateOrigin.of(message.position(new Position(TOPIC, 0, 43)), FIRST))
                .isEqualTo(DuplicateOrigin.PRODUCER);
        assertThat(DuplicateOrigin.of(message.position(new Position(new UUID(2, 2), 0, 42)), FIRST))
                .isEqualTo(DuplicateOrigin.PRODUCER);
    }

    @Test
    void nothingIsToldWithoutBothPositions() {
        assertThat(DuplicateOrigin.of(message, FIRST)).isEqualTo(DuplicateOrigin.UNKNOWN);
        assertThat(DuplicateOrigin.of(message.position(FIRST), null)).isEqualTo(DuplicateOrigin.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({
        "LIVE, REDELIVERY",
        "DEAD_LETTER, DEAD_LETTER",
        "REPLAY, REPLAY",
        "DEAD_LETTER_REPLAY, DEAD_LETTER",
    })
    void routeTellsMoreThanThePosition(DeliveryRoute route, DuplicateOrigin origin) {
        assertThat(DuplicateOrigin.of(message.position(FIRST).route(route), FIRST))
                .isEqualTo(origin);
        assertThat(DuplicateOrigin.of(message.route(route).position(FIRST), FIRST))
                .isEqualTo(origin);
    }
}
