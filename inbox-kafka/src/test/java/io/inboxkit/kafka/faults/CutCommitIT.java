package io.inboxkit.kafka.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.inboxkit.kafka.faults.PaymentsApplication.AfterBooking;
import io.inboxkit.testkit.Fault;
import io.inboxkit.testkit.FaultyDataSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CutCommitIT {

    @ParameterizedTest
    @CsvSource({"BEFORE_COMMIT, 2", "DURING_COMMIT, 1", "AFTER_COMMIT, 1"})
    void paymentIsBookedOnceWhateverBecameOfTheCutCommit(Fault.Point point, int expectedCalls) {
        try (Payments payments = new Payments(1)) {
            FaultyDataSource faulty = new FaultyDataSource(payments.database().dataSource());
            AtomicInteger calls = new AtomicInteger();
            AfterBooking cutAtCommit = payment -> {
                if (payment.equals("p1") && calls.incrementAndGet() == 1) {
                    faulty.arm(Fault.at(point));
                }
            };
            payments.send(0, "p0", "p1", "p2");

            try (var application = payments.start(Map.of(), context -> {
                context.registerBean("dataSource", DataSource.class, () -> payments.database()
                        .pool(3, faulty));
                context.registerBean(AfterBooking.class, () -> cutAtCommit);
            })) {
                payments.awaitEachBookedOnce();
            }

            assertThat(faulty.hasStruck()).isTrue();
            assertThat(calls).hasValue(expectedCalls);
        }
    }
}
