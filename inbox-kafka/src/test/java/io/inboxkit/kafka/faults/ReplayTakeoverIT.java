package io.inboxkit.kafka.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.inboxkit.kafka.ReplayMode;
import io.inboxkit.kafka.ReplayRequest;
import io.inboxkit.kafka.ReplayRun;
import io.inboxkit.kafka.ReplayState;
import io.inboxkit.kafka.TopicReplay;
import io.inboxkit.testkit.ChildJvm;
import io.inboxkit.testkit.KafkaService;
import io.inboxkit.testkit.KafkaTopics;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/** Instances that die, stop and compete in the middle of a replay. */
class ReplayTakeoverIT {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @Test
    void runThatIsKilledTwiceHandlesEachOfTenThousandMessagesOnce() {
        try (Payments payments = new Payments(1)) {
            send(payments, 10_000);
            // As if a consumer had lost what it read before; it books the rest.
            KafkaTopics.commit(payments.group(), new TopicPartition(payments.topic(), 0), 9_000);
            try (var live = payments.start(Map.of())) {
                KafkaTopics.awaitNoLag(payments.group(), payments.topic());
            }
            try (ChildJvm child = payments.startChild(ReplayingApplication.class, Map.of())) {
                awaitEffects(payments, 3_500);
                child.kill();
            }
            try (ChildJvm child = payments.startChild(ReplayingApplication.class, Map.of())) {
                awaitEffects(payments, 7_000);
                child.kill();
            }
            assertThat(payments.effects()).hasSizeLessThan(11_000);

            try (var application = payments.start(Map.of())) {
                TopicReplay replay = application.getBean(TopicReplay.class);
                replay.resume(ReplayingApplication.RUN);
                ReplayRun run = awaitCompleted(replay, ReplayingApplication.RUN);

                Map<String, Integer> times = new HashMap<>();
                payments.effects().forEach(payment -> times.merge(payment, 1, Integer::sum));
                assertThat(times).hasSize(10_000);
                int live = payments.effects().size() - 10_000;
                assertThat(live).isEqualTo(1_000);
                assertThat(times.values().stream().filter(count -> count == 2)).hasSize(1_000);
                assertThat(times.values()).allMatch(count -> count <= 2);
                assertThat(run.handled()).isEqualTo(10_000);
                assertThat(payments.database()
                                .jdbc()
                                .queryForObject("select count(*) from inbox_replay_message", Long.class))
                        .isZero();
            }
        }
    }

    @Test
    void twoInstancesNeverWorkOnOneRunAndTheSecondGoesOnWhenTheFirstStops() {
        try (Payments payments = new Payments(2)) {
            send(payments, 100);
            try (var first = payments.start(Map.of());
                    var second = payments.start(Map.of())) {
                payments.awaitEachBookedOnce();
                TopicReplay one = first.getBean(TopicReplay.class);
                TopicReplay other = second.getBean(TopicReplay.class);
                one.start(ReplayRequest.of("shared", "billing")
                        .mode(ReplayMode.REPROCESS)
                        .rate(20));
                awaitEffects(payments, 110);

                assertThat(other.resume("shared").state()).isEqualTo(ReplayState.RUNNING);
                first.close();
                assertThat(other.status("shared").state()).isEqualTo(ReplayState.RUNNING);

                ReplayRun run = awaitCompleted(other, "shared");
                assertThat(run.handled()).isEqualTo(100);
                assertThat(payments.effects()).hasSize(200);
                assertThat(new HashSet<>(payments.effects().subList(100, 200))).hasSize(100);
            }
        }
    }

    private static void send(Payments payments, int count) {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", KafkaService.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer())) {
            for (int i = 0; i < count; i++) {
                String payment = "p" + i;
                payments.willBeSent(payment);
                ProducerRecord<String, String> outgoing =
                        new ProducerRecord<>(payments.topic(), i % payments.partitions(), payment, payment);
                outgoing.headers().add("message-id", payment.getBytes(UTF_8));
                var unused = producer.send(outgoing);
            }
        }
    }

    private static void awaitEffects(Payments payments, int count) {
        await("effects").atMost(PATIENCE).until(() -> payments.count() >= count);
    }

    private static ReplayRun awaitCompleted(TopicReplay replay, String name) {
        return await("end of the replay")
                .atMost(PATIENCE)
                .until(() -> replay.status(name), run -> run.state() == ReplayState.COMPLETED);
    }
}
