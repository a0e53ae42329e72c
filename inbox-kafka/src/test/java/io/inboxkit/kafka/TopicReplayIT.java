package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.inboxkit.IdempotentConsumer;
import io.inboxkit.kafka.ListenerApplication.Effects;
import io.inboxkit.kafka.observe.ReplayEndpoint;
import io.inboxkit.testkit.KafkaRecords;
import io.inboxkit.testkit.KafkaTopics;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.FixedBackOff;

/** Replays on purpose, of a record listener. */
class TopicReplayIT {

    private static final String GROUP = "billing";
    private static final ListenerApplication application = ListenerApplication.start(Billing.class);
    private static final TopicReplay replay = application.bean(TopicReplay.class);
    private static final Trouble trouble = application.bean(Trouble.class);

    private final String name = "run-" + UUID.randomUUID();
    private final String prefix = UUID.randomUUID() + "-";
    private final List<String> sent =
            IntStream.range(0, 20).mapToObj(i -> prefix + i).toList();
    private long from;

    @BeforeEach
    void send() {
        trouble.payloads.clear();
        from = TestBroker.committed(GROUP, application.topic(), 0);
        sent.forEach(id -> KafkaRecords.send(application.topic(), id, "message-id", id));
        KafkaTopics.awaitNoLag(GROUP, application.topic());
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void replayFindsWhatWasMissedAndSkipsTheRest() {
        forget(3);
        forget(17);

        ReplayRun run = complete(replay.start(request()));

        assertThat(effects(3)).isEqualTo(2);
        assertThat(effects(17)).isEqualTo(2);
        assertThat(ownEffects()).hasSize(22);
        assertThat(run.handled()).isEqualTo(2);
        assertThat(run.skipped()).isEqualTo(18);
        assertThat(run.failed()).isZero();
        assertThat(run.progress()).isEqualTo(1);
    }

    @Test
    void reprocessingHandlesEachMessageOnceMoreAndLeavesItKnown() {
        forget(3);

        ReplayRun run = complete(replay.start(request().mode(ReplayMode.REPROCESS)));

        assertThat(ownEffects()).hasSize(40);
        assertThat(sent).allSatisfy(id -> assertThat(effectsOf(id)).isEqualTo(2));
        assertThat(run.handled()).isEqualTo(20);
        assertThat(application.inbox().find("billing:" + application.topic(), sent.get(3)))
                .isPresent();
        assertThat(complete(replay.start(
                                ReplayRequest.of(name + "-later", GROUP).fromOffset(from)))
                        .handled())
                .isZero();
    }

    @Test
    void auditCountsWhatIsProcessedOpenAndMissingAndHandlesNothing() {
        forget(3);
        application
                .bean(JdbcTemplate.class)
                .update("delete from inbox_message where source_offset in (?, ?)", from + 4, from + 5);
        KafkaRecords.send(application.topic(), "without id");
        KafkaRecords.send(application.topic(), "last", "message-id", prefix + "last");
        KafkaTopics.awaitNoLag(GROUP, application.topic());

        ReplayRun run = complete(replay.start(request().mode(ReplayMode.AUDIT)));

        ReplayRun.Partition partition = run.partitions().get(0);
        assertThat(partition.processed()).isEqualTo(18);
        assertThat(partition.open()).isEqualTo(1);
        assertThat(partition.missing()).isEqualTo(2);
        assertThat(partition.withoutId()).isEqualTo(1);
        assertThat(ownEffects()).hasSize(20);
    }

    @Test
    void replayLeavesTheOffsetsOfTheGroupAlone() {
        long before = TestBroker.committed(GROUP, application.topic(), 0);
        complete(replay.start(request().mode(ReplayMode.REPROCESS)));
        assertThat(TestBroker.committed(GROUP, application.topic(), 0)).isEqualTo(before);

        KafkaRecords.send(application.topic(), "live", "message-id", prefix + "live");
        KafkaTopics.awaitNoLag(GROUP, application.topic());
        assertThat(TestBroker.committed(GROUP, application.topic(), 0)).isEqualTo(before + 1);
    }

    @Test
    void recordThatFailsIsListedAndTheRunGoesOn() {
        trouble.payloads.add(sent.get(5));

        ReplayRun run = complete(replay.start(request().mode(ReplayMode.REPROCESS)));

        assertThat(run.handled()).isEqualTo(19);
        assertThat(run.failed()).isEqualTo(1);
        assertThat(run.failures())
                .containsExactly(new ReplayRun.Failure(
                        application.topic(), 0, from + 5, IllegalArgumentException.class.getName()));
    }

    @Test
    void recordThatFailsAndIsHandledAtTheNextAttemptIsNoFailure() {
        trouble.once.set(true);
        trouble.payloads.add(sent.get(5));

        ReplayRun run = complete(replay.start(request().mode(ReplayMode.REPROCESS)));

        assertThat(run.handled()).isEqualTo(20);
        assertThat(run.failures()).isEmpty();
    }

    @Test
    void runStopsBehindARecordThatFailsIfItIsToAndGoesOnWhenItIsResumed() {
        trouble.payloads.add(sent.get(5));
        replay.start(request().mode(ReplayMode.REPROCESS).onFailure(ReplayFailurePolicy.STOP));

        ReplayRun stopped = awaitState(name, ReplayState.STOPPED);
        assertThat(stopped.handled()).isEqualTo(5);
        assertThat(stopped.failures()).hasSize(1);

        ReplayRun run = complete(replay.resume(name));
        assertThat(run.handled()).isEqualTo(19);
        assertThat(run.failures()).hasSize(1);
    }

    @Test
    void runKeepsToItsRateAndCanBeStoppedAndResumed() {
        long start = System.nanoTime();
        replay.start(request().mode(ReplayMode.REPROCESS).rate(5));
        await().atMost(ListenerApplication.PATIENCE).until(() -> ownEffects().size() > 25);
        ReplayRun stopped = replay.stop(name);

        assertThat(stopped.state()).isEqualTo(ReplayState.STOPPED);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(900));
        assertThat(ownEffects()).hasSizeLessThan(40);

        complete(replay.resume(name));
        assertThat(sent).allSatisfy(id -> assertThat(effectsOf(id)).isEqualTo(2));
    }

    @Test
    void rangeIsWhatWasAskedFor() {
        ReplayRun run = complete(replay.start(ReplayRequest.of(name, GROUP)
                .mode(ReplayMode.REPROCESS)
                .partitions(0)
                .fromOffset(from + 2)
                .toOffset(from + 5)));

        assertThat(run.handled()).isEqualTo(3);
        assertThat(effects(2) + effects(3) + effects(4)).isEqualTo(6);
        assertThat(ownEffects()).hasSize(23);
    }

    @Test
    void whatCannotBeReplayedIsRefused() {
        complete(replay.start(request()));

        assertThatThrownBy(() -> replay.start(request())).hasMessageContaining("already");
        assertThatThrownBy(() -> replay.start(ReplayRequest.of("x", "nobody")))
                .hasMessageContaining("no Kafka listener 'nobody'");
        assertThatThrownBy(() -> replay.start(ReplayRequest.of("x", "plain")))
                .hasMessageContaining("@IdempotentConsumer");
        assertThatThrownBy(() -> replay.start(ReplayRequest.of("x", GROUP).topics("other")))
                .hasMessageContaining("does not read the topic 'other'");
        assertThatThrownBy(() -> replay.start(ReplayRequest.of("x", GROUP).partitions(7)))
                .hasMessageContaining("does not read partition 7");
        assertThatThrownBy(() -> replay.resume("nothing")).hasMessageContaining("no replay 'nothing'");
    }

    @Test
    void endpointStartsStopsResumesAndShowsRuns() {
        ReplayEndpoint endpoint = application.bean(ReplayEndpoint.class);
        endpoint.start(name, GROUP, ReplayMode.REPROCESS, null, null, List.of(0), from, null, null, null, 10, null);
        assertThat(endpoint.change(name, ReplayEndpoint.Action.STOP).state()).isEqualTo(ReplayState.STOPPED);
        endpoint.change(name, ReplayEndpoint.Action.RESUME);

        assertThat(complete(endpoint.run(name)).handled()).isEqualTo(20);
        assertThat(endpoint.runs().get("runs")).extracting(ReplayRun::name).contains(name);
        assertThatThrownBy(() -> endpoint.run("nothing"))
                .isInstanceOf(InvalidEndpointRequestException.class)
                .hasMessageContaining("no replay 'nothing'");
        assertThatThrownBy(() ->
                        endpoint.start("x", GROUP, null, null, null, null, null, null, "yesterday", null, null, null))
                .hasMessageContaining("2030-01-31T12:00:00Z");
    }

    private ReplayRequest request() {
        return ReplayRequest.of(name, GROUP).fromOffset(from);
    }

    private static ReplayRun complete(ReplayRun run) {
        return awaitState(run.name(), ReplayState.COMPLETED);
    }

    private static ReplayRun awaitState(String run, ReplayState state) {
        return await().atMost(ListenerApplication.PATIENCE)
                .until(() -> replay.status(run), now -> now.state() == state);
    }

    private void forget(int index) {
        application.inbox().forget("billing:" + application.topic(), sent.get(index));
    }

    private long effects(int index) {
        return effectsOf(sent.get(index));
    }

    private static long effectsOf(String payload) {
        return application.effects().stream().filter(payload::equals).count();
    }

    private List<String> ownEffects() {
        return application.effects().stream()
                .filter(effect -> effect.startsWith(prefix))
                .toList();
    }

    static class Trouble {

        private final Set<String> payloads = ConcurrentHashMap.newKeySet();
        private final AtomicBoolean once = new AtomicBoolean();

        void mayHappen(String payload) {
            if (once.get() ? payloads.remove(payload) : payloads.contains(payload)) {
                once.set(false);
                throw new IllegalArgumentException(payload);
            }
        }
    }

    @Import(Trouble.class)
    record Billing(Effects effects, Trouble trouble) {

        @Bean
        static DefaultErrorHandler errorHandler() {
            return new DefaultErrorHandler(new FixedBackOff(0, 2));
        }

        @KafkaListener(id = GROUP, topics = "${topic}")
        @IdempotentConsumer
        void onPayment(String payload) {
            effects.add(payload);
            trouble.mayHappen(payload);
        }

        @KafkaListener(id = "plain", topics = "${topic}-plain")
        void onPlain(String payload) {}
    }
}
