package io.inboxkit.kafka.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.inboxkit.HeldDeliveries;
import io.inboxkit.HeldDeliveries.HeldDelivery;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A team adds the annotation, and has neither ids in its messages nor an error handler. */
@ExtendWith(OutputCaptureExtension.class)
class FirstMinutesIT {

    @Test
    void messagesWithoutIdsWaitUntilTheTeamHasDecidedWhatToDo(CapturedOutput output) {
        try (Payments payments = new Payments(2)) {
            payments.sendWithoutId(0, "p0", "p1");
            payments.sendWithoutId(1, "p2", "p3");
            String first = payments.position(0, 0);
            String second = payments.position(1, 0);

            try (var application = payments.start(Map.of())) {
                await().atMost(Payments.PATIENCE).untilAsserted(() -> assertThat(
                                application.getBean(HeldDeliveries.class).list())
                        .extracting(HeldDelivery::position)
                        .containsExactlyInAnyOrder(first, second));
                await().during(Duration.ofSeconds(4)).untilAsserted(() -> {
                    assertThat(Payments.health(application)).isEqualTo(Status.DOWN);
                    assertThat(payments.effects()).isEmpty();
                    assertThat(payments.committed(0) + payments.committed(1)).isZero();
                });
            }
            assertThat(output.getAll().lines().filter(line -> line.startsWith("WARN io.inboxkit")))
                    .anyMatch(line -> line.contains("Listener 'billing' has no error handler")
                            && line.contains("DeadLetterPublishingRecoverer"));
            for (String position : new String[] {first, second}) {
                assertThat(output.getAll()
                                .lines()
                                .filter(line -> line.startsWith("ERROR io.inboxkit") && line.contains(position)))
                        .singleElement()
                        .asString()
                        .contains("DeadLetterPublishingRecoverer", "inbox.message-id.on-missing");
            }

            try (var application = payments.start(Map.of("inbox.message-id.on-missing", "PROCESS"))) {
                payments.awaitEachBookedOnce();
                assertThat(Payments.health(application)).isEqualTo(Status.UP);
            }
        }
    }
}
