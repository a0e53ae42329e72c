package io.inboxkit.kafka.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.inboxkit.testkit.ChildJvm;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KillPointIT {

    /** A static member takes its partitions over at once, where others wait for the session of the dead one to end. */
    private static final Map<String, String> STATIC_MEMBER =
            Map.of("spring.kafka.consumer.properties.group.instance.id", "billing-1");

    @ParameterizedTest
    @ValueSource(
            strings = {
                KillPointDataSource.BEFORE_CLAIM,
                KillPointDataSource.AFTER_CLAIM,
                ChildApplication.IN_HANDLER,
                KillPointDataSource.BEFORE_COMMIT,
                KillPointDataSource.AFTER_COMMIT
            })
    void killedConsumerBooksEachPaymentOnceWhenItIsBack(String point) {
        try (Payments payments = new Payments(1)) {
            payments.send(0, "p0", "p1", "p2");
            Map<String, String> properties = new HashMap<>(STATIC_MEMBER);
            properties.putAll(ChildJvm.armed(point));
            try (ChildJvm child = payments.startChild(properties)) {
                child.awaitKillPoint(point, Payments.PATIENCE);
                child.kill();
            }
            assertThat(payments.committed(0)).isZero();
            assertThat(payments.effects())
                    .isEqualTo(point.equals(KillPointDataSource.AFTER_COMMIT) ? List.of("p0") : List.of());

            try (var back = payments.start(STATIC_MEMBER)) {
                payments.awaitEachBookedOnce();
            }
        }
    }
}
