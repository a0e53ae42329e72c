package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.inboxkit.DuplicateOrigin;
import io.inboxkit.IdempotentConsumer;
import io.inboxkit.InboxAttempt;
import io.inboxkit.InboxObserver;
import io.inboxkit.Position;
import io.inboxkit.kafka.ListenerApplication.Effects;
import io.inboxkit.testkit.KafkaRecords;
import io.inboxkit.testkit.KafkaTopics;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.FixedBackOff;

/** Replays where neighbours were purged, and of dead letters. */
class DeadLetterReplayIT {

    private static final String GROUP = "billing";

    @Test
    void deadLetterIsProcessedAfterItsNeighboursWerePurgedAndTheyAreNot() {
        try (ListenerApplication application = ListenerApplication.start(Billing.class)) {
            Trouble trouble = application.bean(Trouble.class);
            TopicReplay replay = application.bean(TopicReplay.class);
            String deadLetters = application.topic() + "-dlt";
            KafkaTopics.create(deadLetters, 1);
            for (String payment : List.of("first", "bad", "last")) {
                KafkaRecords.send(application.topic(), payment, "message-id", payment);
            }
            KafkaTopics.awaitNoLag(GROUP, application.topic());
            await().atMost(ListenerApplication.PATIENCE)
                    .until(() -> KafkaRecords.all(deadLetters).size() == 1);
            KafkaRecords.send(deadLetters, "other", "message-id", "other", "kafka_dlt-original-topic", "elsewhere");
            purge(application.bean(JdbcTemplate.class));
            trouble.over.set(true);

            ReplayRun audit = complete(
                    replay, replay.start(ReplayRequest.of("audit", GROUP).mode(ReplayMode.AUDIT)));
            assertThat(audit.partitions().get(0).belowFloor()).isEqualTo(2);
            assertThat(audit.partitions().get(0).open()).isEqualTo(1);

            ReplayRun run = complete(
                    replay, replay.start(ReplayRequest.of("dead letters", GROUP).deadLetters(deadLetters)));
            assertThat(run.handled()).isEqualTo(1);
            assertThat(run.partitions().get(0).foreign()).isEqualTo(1);
            assertThat(application.effects()).containsExactly("first", "last", "bad");
            assertThat(trouble.replayed).containsExactly("bad");

            ReplayRun topic = complete(replay, replay.start(ReplayRequest.of("topic", GROUP)));
            assertThat(topic.handled()).isZero();
            assertThat(topic.skipped()).isEqualTo(1);
            assertThat(topic.stale()).isEqualTo(2);
            assertThat(trouble.origins).containsExactly(DuplicateOrigin.REPLAY);
        }
    }

    /** What a purge of the neighbours leaves: no ids, and a floor above them. */
    private static void purge(JdbcTemplate jdbc) {
        jdbc.update(
                """
                insert into inbox_floor (consumer_id, source_id, source_partition, floor_offset, raised_at)
                select consumer_id, source_id, source_partition, max(source_offset), clock_timestamp()
                from inbox_message group by 1, 2, 3
                """);
        jdbc.update("delete from inbox_message");
    }

    private static ReplayRun complete(TopicReplay replay, ReplayRun run) {
        return await().atMost(ListenerApplication.PATIENCE)
                .until(() -> replay.status(run.name()), now -> now.state() == ReplayState.COMPLETED);
    }

    static class Trouble implements InboxObserver {

        private final AtomicBoolean over = new AtomicBoolean();
        private final Queue<String> replayed = new ConcurrentLinkedQueue<>();
        private final Queue<DuplicateOrigin> origins = new ConcurrentLinkedQueue<>();

        @Override
        public void duplicate(
                String consumer, DuplicateOrigin origin, @Nullable Position position, @Nullable Position first) {
            origins.add(origin);
        }
    }

    @Import(Trouble.class)
    record Billing(Effects effects, Trouble trouble) {

        @Bean
        static DefaultErrorHandler errorHandler(KafkaTemplate<Object, Object> template) {
            return new DefaultErrorHandler(new DeadLetterPublishingRecoverer(template), new FixedBackOff(0, 0));
        }

        @KafkaListener(id = GROUP, topics = "${topic}")
        @IdempotentConsumer
        void onPayment(String payload, InboxAttempt attempt) {
            if (payload.equals("bad") && !trouble.over.get()) {
                throw new IllegalArgumentException(payload);
            }
            if (attempt.replay()) {
                trouble.replayed.add(payload);
            }
            effects.add(payload);
        }
    }
}
