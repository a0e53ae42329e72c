package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.inboxkit.HeldDeliveries;
import io.inboxkit.IdempotentConsumer;
import io.inboxkit.kafka.ListenerApplication.Effects;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.annotation.KafkaListener;

/** A handler that takes longer than {@code max.poll.interval.ms}: its consumer loses the partition while it runs. */
class SlowHandlerIT {

    private static final String GROUP = "billing";

    @Test
    void consumerThatIsExpelledInItsHandlerHasTheOnlyEffectAndTheNextOwnerSkipsTheRecord() {
        try (var application = ListenerApplication.start(Slow.class, "inbox.claim.timeout=1s")) {
            Slow slow = application.bean(Slow.class);
            application.send("m1", "slow");
            awaitRedelivery(application);
            slow.finish.countDown();
            application.send("m2", "next");
            application.awaitSettled(GROUP);

            assertThat(application.effects()).containsExactly("slow", "next");
            assertThat(slow.seen).containsExactly("slow", "next");
            await().untilAsserted(() ->
                    assertThat(application.bean(HeldDeliveries.class).list()).isEmpty());
        }
    }

    @Test
    void nextOwnerProcessesTheRecordIfTheExpelledConsumerFailsAfterwards() {
        try (var application = ListenerApplication.start(Slow.class, "inbox.claim.timeout=1s")) {
            Slow slow = application.bean(Slow.class);
            application.send("m1", "fails");
            awaitRedelivery(application);
            slow.finish.countDown();
            application.awaitSettled(GROUP);

            assertThat(application.effects()).containsExactly("fails");
            assertThat(slow.seen).containsExactly("fails", "fails");
        }
    }

    /** The other consumer has got the record, and cannot tell what will become of it. */
    private static void awaitRedelivery(ListenerApplication application) {
        HeldDeliveries held = application.bean(HeldDeliveries.class);
        await().atMost(Duration.ofSeconds(60)).until(() -> !held.list().isEmpty());
    }

    static class Slow {

        private final CountDownLatch finish = new CountDownLatch(1);
        private final List<String> seen = new CopyOnWriteArrayList<>();
        private final Effects effects;

        Slow(Effects effects) {
            this.effects = effects;
        }

        @KafkaListener(
                topics = "${topic}",
                groupId = GROUP,
                concurrency = "2",
                properties = {"max.poll.interval.ms=3000", "session.timeout.ms=6000"})
        @IdempotentConsumer
        void on(String payload) throws InterruptedException {
            boolean first = seen.isEmpty();
            seen.add(payload);
            effects.add(payload);
            if (first) {
                finish.await();
                if (payload.equals("fails")) {
                    throw new IllegalStateException("in the end");
                }
            }
        }
    }
}
