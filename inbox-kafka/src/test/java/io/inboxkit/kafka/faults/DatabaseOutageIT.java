package io.inboxkit.kafka.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.inboxkit.testkit.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class DatabaseOutageIT {

    /** The default error handler tries ten times without a pause, each as long as the pool waits for a connection. */
    private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(1);

    private static final Duration OUTAGE = CONNECTION_TIMEOUT.multipliedBy(15);

    @Test
    void outageLongerThanAllRetriesLosesNothingAndStormsNoLog(CapturedOutput output) {
        try (Payments payments = new Payments(2);
                TcpProxy proxy = payments.database().proxy()) {
            try (var application = payments.start(Map.of(
                    "spring.datasource.url", payments.database().url(proxy),
                    "spring.datasource.hikari.connection-timeout", Long.toString(CONNECTION_TIMEOUT.toMillis())))) {
                payments.send(0, "before");
                payments.awaitEachBookedOnce();
                assertThat(Payments.health(application)).isEqualTo(Status.UP);
                int start = output.getAll().length();

                proxy.cut();
                for (int i = 0; i < 20; i++) {
                    payments.send(i % 2, "p" + i);
                }
                await().atMost(Payments.PATIENCE).untilAsserted(() -> assertThat(Payments.health(application))
                        .isEqualTo(Status.DOWN));
                await().during(OUTAGE).atMost(OUTAGE.plus(Payments.PATIENCE)).untilAsserted(() -> assertThat(
                                Payments.health(application))
                        .isEqualTo(Status.DOWN));
                assertThat(payments.effects()).containsExactly("before");
                proxy.restore();

                payments.awaitEachBookedOnce();
                assertThat(Payments.health(application)).isEqualTo(Status.UP);
                String during = output.getAll().substring(start);
                assertThat(during.lines().filter(DatabaseOutageIT::isComplaint)).hasSizeBetween(1, 5);
                assertThat(during).as("the consumer has left its group").doesNotContain("partitions assigned");
            }
        }
    }

    private static boolean isComplaint(String line) {
        return List.of("WARN io.inboxkit", "ERROR io.inboxkit", "WARN org.springframework", "ERROR org.springframework")
                .stream()
                .anyMatch(line::startsWith);
    }
}
