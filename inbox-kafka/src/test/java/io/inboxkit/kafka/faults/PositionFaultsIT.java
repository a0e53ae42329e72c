package io.inboxkit.kafka.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.inboxkit.testkit.ChildJvm;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.health.contributor.Status;

/** A consumer that tracks positions, killed or frozen in the middle. Its messages have no ids. */
class PositionFaultsIT {

    @ParameterizedTest
    @ValueSource(
            strings = {
                KillPointDataSource.BEFORE_CLAIM,
                KillPointDataSource.AFTER_CLAIM,
                KillPointDataSource.BEFORE_COMMIT,
                KillPointDataSource.AFTER_COMMIT
            })
    void killedConsumerBooksEachPaymentOnceWhenItIsBack(String point) {
        Map<String, String> properties =
                Map.of("track", "POSITION", "spring.kafka.consumer.properties.group.instance.id", "billing-1");
        try (Payments payments = new Payments(1)) {
            payments.sendWithoutId(0, "p0", "p1", "p2");
            Map<String, String> armed = new HashMap<>(properties);
            armed.putAll(ChildJvm.armed(point));
            try (ChildJvm child = payments.startChild(armed)) {
                child.awaitKillPoint(point, Payments.PATIENCE);
                child.kill();
            }
            assertThat(payments.committed(0)).isZero();
            assertThat(payments.effects())
                    .isEqualTo(point.equals(KillPointDataSource.AFTER_COMMIT) ? List.of("p0") : List.of());

            try (var back = payments.start(properties)) {
                payments.awaitEachBookedOnce();
            }
        }
    }

    @Test
    void ofTwoOwnersOfAPartitionOnlyOneBooksEachPayment() {
        Map<String, String> properties = Map.of(
                "track", "POSITION",
                "inbox.claim.timeout", "1s",
                "spring.kafka.consumer.properties.session.timeout.ms", "6000",
                "spring.kafka.consumer.properties.heartbeat.interval.ms", "1000");
        try (Payments payments = new Payments(1)) {
            // All are in the buffer of the consumer that is frozen with the first of them.
            payments.sendWithoutId(0, ChildApplication.SLOW, "p1", "p2", "p3", "p4");
            try (ChildJvm frozen = payments.startChild(properties)) {
                frozen.awaitLine(ChildApplication.IN_SLOW_HANDLER, Payments.PATIENCE);
                frozen.freeze();
                try (var other = payments.start(properties)) {
                    await("an attempt of the other").atMost(Payments.PATIENCE).untilAsserted(() -> assertThat(
                                    Payments.health(other))
                            .isEqualTo(Status.DOWN));
                    assertThat(payments.effects()).isEmpty();

                    frozen.thaw();
                    payments.sendWithoutId(0, "p5", "p6");
                    payments.awaitEachBookedOnce();
                }
            }
        }
    }
}
