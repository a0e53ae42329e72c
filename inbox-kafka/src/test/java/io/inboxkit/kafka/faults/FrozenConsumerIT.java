package io.inboxkit.kafka.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.inboxkit.testkit.ChildJvm;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A consumer that stands still while it holds a claim, until its group gives its partitions to another. */
class FrozenConsumerIT {

    /** How long it is frozen while another tries; three minutes show the same as this default. */
    private static final Duration FREEZE = Duration.ofSeconds(Integer.getInteger("inbox.test.freeze", 15));

    private static final Map<String, String> IMPATIENT = Map.of(
            "inbox.claim.timeout", "1s",
            // The least that brokers allow unless told otherwise.
            "spring.kafka.consumer.properties.session.timeout.ms", "6000",
            "spring.kafka.consumer.properties.heartbeat.interval.ms", "1000");

    @Test
    void consumerThatWakesUpAfterItsSessionHasItsBookingAndNobodyBooksAgain() {
        try (Payments payments = new Payments(2);
                ChildJvm frozen = frozenInHandler(payments)) {
            try (var other = payments.start(IMPATIENT)) {
                payments.awaitBooked(List.of("p1"));
                assertThat(payments.effects()).doesNotContain(ChildApplication.SLOW);

                frozen.thaw();
                payments.awaitBooked(List.of(ChildApplication.SLOW));
                payments.awaitEachBookedOnce();
            }
        }
    }

    @Test
    void paymentOfAConsumerThatIsKilledInTheEndOutlivesAllRetriesOfTheOther() {
        try (Payments payments = new Payments(2);
                ChildJvm frozen = frozenInHandler(payments)) {
            try (var other = payments.start(IMPATIENT)) {
                payments.awaitBooked(List.of("p1"));
                long end = System.nanoTime() + FREEZE.toNanos();
                // More than the ten attempts of the container, one second each, would take.
                for (int i = 3; System.nanoTime() < end; i++) {
                    payments.send(1, "p" + i);
                    payments.awaitBooked(List.of("p" + i));
                    assertThat(payments.effects()).doesNotContain(ChildApplication.SLOW, "p2");
                    assertThat(payments.committed(0)).isZero();
                }
                assertThat(openTransactions(payments)).isPositive();

                frozen.kill();
                await("release of the claim").atMost(Duration.ofSeconds(5)).untilAsserted(() -> assertThat(
                                openTransactions(payments))
                        .isZero());
                payments.awaitBooked(List.of(ChildApplication.SLOW, "p2"));
                payments.awaitEachBookedOnce();
            }
        }
    }

    /** A consumer that has claimed and booked the slow payment, and now stands still before its commit. */
    private static ChildJvm frozenInHandler(Payments payments) {
        payments.send(0, ChildApplication.SLOW, "p2");
        ChildJvm child = payments.startChild(IMPATIENT);
        child.awaitLine(ChildApplication.IN_SLOW_HANDLER, Payments.PATIENCE);
        child.freeze();
        payments.send(1, "p1");
        return child;
    }

    /** How many clients have left a transaction open and send nothing. */
    private static int openTransactions(Payments payments) {
        Integer count = payments.database()
                .jdbc()
                .queryForObject(
                        "select count(*) from pg_stat_activity where datname = current_database()"
                                + " and state = 'idle in transaction' and now() - state_change > interval '5 s'",
                        Integer.class);
        return count == null ? 0 : count;
    }
}
