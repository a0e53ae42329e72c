package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.inboxkit.DuplicateOrigin;
import io.inboxkit.HeldDeliveries;
import io.inboxkit.IdempotentConsumer;
import io.inboxkit.InboxAttempt;
import io.inboxkit.InboxObserver;
import io.inboxkit.Position;
import io.inboxkit.kafka.ListenerApplication.Effects;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ShareKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultShareConsumerFactory;
import org.springframework.kafka.listener.ContainerProperties.ShareAckMode;
import org.springframework.kafka.support.ShareAcknowledgment;

/** Listeners in a share group, where a record comes again whenever its lock runs out. */
class SharedListenerIT {

    /** The shortest that the broker takes. */
    private static final int LOCK_MILLIS = 15_000;

    @Test
    void messagesAreHandledOnceAndAcceptedAndASecondSendIsSkipped() {
        try (var application = ListenerApplication.start(Accepting.class)) {
            application.send("m1", "one");
            application.send("m2", "two");
            application.send("m1", "one");
            application.awaitEffects(2);
            Duplicates duplicates = application.bean(Duplicates.class);
            await().untilAsserted(() -> assertThat(duplicates.origins).containsExactly(DuplicateOrigin.PRODUCER));
            awaitAllAccepted(application);

            assertThat(application.effects()).containsExactlyInAnyOrder("one 1", "two 1");
        }
    }

    @Test
    void failureIsRolledBackReleasedByTheApplicationsRecovererAndHandledOnce() {
        try (var application = ListenerApplication.start(Accepting.class)) {
            application.send("m1", "fails twice");
            application.awaitEffects(1);
            awaitAllAccepted(application);

            // The third delivery by the count of the broker, and nothing of the first two.
            assertThat(application.effects()).containsExactly("fails twice 3");
        }
    }

    @Test
    void handlerThatOutlivesItsLockHasOneEffectAndItsRedeliveryIsSkipped() {
        try (var application = ListenerApplication.start(Slow.class)) {
            Slow slow = application.bean(Slow.class);
            application.send("m1", "slow");
            await().atMost(Duration.ofSeconds(60)).until(() -> slow.deliveries.get() >= 1);
            // The other consumer thread gets the record, and finds it claimed.
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> !application.bean(HeldDeliveries.class).list().isEmpty());
            slow.finish.countDown();
            awaitAllAccepted(application);

            assertThat(application.effects()).containsExactly("slow");
            assertThat(slow.deliveries).hasValue(1);
            assertThat(application.bean(HeldDeliveries.class).list()).isEmpty();
        }
    }

    @Test
    void acknowledgementsOfTheHandlerWaitForTheCommitAndAReleaseIsARollback() {
        try (var application = ListenerApplication.start(Acknowledging.class)) {
            application.send("m1", "released first");
            application.send("m2", "rejected");
            application.awaitEffects(2);
            awaitAllAccepted(application);

            assertThat(application.effects()).containsExactlyInAnyOrder("released first", "rejected");
            assertThat(application.bean(Acknowledging.class).seen)
                    .containsExactlyInAnyOrder("released first", "released first", "rejected");
        }
    }

    @Test
    void undecidedRecordUsesUpNoDeliveriesWhileTheDatabaseIsAway() {
        try (var application =
                ListenerApplication.start(Accepting.class, "spring.datasource.hikari.connection-timeout=250")) {
            JdbcTemplate jdbc = application.bean(JdbcTemplate.class);
            jdbc.execute("alter table inbox_message rename to inbox_message_away");
            application.send("m1", "one");
            application.send("m2", "two");
            HeldDeliveries held = application.bean(HeldDeliveries.class);
            await().atMost(Duration.ofSeconds(60)).until(() -> !held.list().isEmpty());
            // More tries than the broker allows deliveries.
            Duplicates observer = application.bean(Duplicates.class);
            await().atMost(Duration.ofSeconds(60)).until(() -> observer.failures.get() > 8);
            jdbc.execute("alter table inbox_message_away rename to inbox_message");
            application.awaitEffects(2);
            awaitAllAccepted(application);

            assertThat(application.effects()).containsExactlyInAnyOrder("one 1", "two 1");
            assertThat(held.list()).isEmpty();
        }
    }

    /** The group has nothing left: what was accepted or rejected is behind the start of its window. */
    private static void awaitAllAccepted(ListenerApplication application) {
        String group = "share-" + application.topic();
        try (Admin admin = TestBroker.admin()) {
            await().atMost(ListenerApplication.PATIENCE).until(() -> {
                var offsets = admin.listShareGroupOffsets(Map.of(group, new ListShareGroupOffsetsSpec()))
                        .partitionsToOffsetInfo(group)
                        .get(10, TimeUnit.SECONDS);
                return offsets.values().stream()
                        .allMatch(info -> info != null && info.lag().orElse(-1L) == 0);
            });
        }
    }

    static class Duplicates implements InboxObserver {

        private final List<DuplicateOrigin> origins = new CopyOnWriteArrayList<>();
        private final AtomicInteger failures = new AtomicInteger();

        @Override
        public void duplicate(
                String consumer, DuplicateOrigin origin, @Nullable Position position, @Nullable Position first) {
            origins.add(origin);
        }

        @Override
        public void outcome(String consumer, MessageOutcome outcome) {
            if (outcome == MessageOutcome.FAILED) {
                failures.incrementAndGet();
            }
        }
    }

    @Import(Duplicates.class)
    static class ShareGroup {

        @Bean
        static ShareKafkaListenerContainerFactory<String, String> explicit(@Value("${topic}") String topic) {
            return factory(topic, ShareAckMode.EXPLICIT);
        }

        @Bean
        static ShareKafkaListenerContainerFactory<String, String> manual(@Value("${topic}") String topic) {
            return factory(topic, ShareAckMode.MANUAL);
        }

        private static ShareKafkaListenerContainerFactory<String, String> factory(String topic, ShareAckMode mode) {
            readFromTheBeginning("share-" + topic);
            var factory =
                    new ShareKafkaListenerContainerFactory<>(new DefaultShareConsumerFactory<String, String>(Map.of(
                            "bootstrap.servers",
                            TestBroker.bootstrapServers(),
                            "key.deserializer",
                            StringDeserializer.class,
                            "value.deserializer",
                            StringDeserializer.class)));
            factory.getContainerProperties().setShareAckMode(mode);
            factory.setShareConsumerRecordRecoverer((failed, cause) -> AcknowledgeType.RELEASE);
            return factory;
        }

        private static void readFromTheBeginning(String group) {
            ConfigResource resource = new ConfigResource(ConfigResource.Type.GROUP, group);
            try (Admin admin = TestBroker.admin()) {
                admin.incrementalAlterConfigs(Map.of(
                                resource,
                                List.of(
                                        set("share.auto.offset.reset", "earliest"),
                                        set("share.record.lock.duration.ms", String.valueOf(LOCK_MILLIS)))))
                        .all()
                        .get(30, TimeUnit.SECONDS);
            } catch (InterruptedException | ExecutionException | TimeoutException e) {
                throw new IllegalStateException("The group " + group + " could not be configured", e);
            }
        }

        private static AlterConfigOp set(String name, String value) {
            return new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET);
        }
    }

    static class Accepting extends ShareGroup {

        private final AtomicInteger failures = new AtomicInteger();
        private final Effects effects;

        Accepting(Effects effects) {
            this.effects = effects;
        }

        @KafkaListener(topics = "${topic}", groupId = "share-${topic}", containerFactory = "explicit")
        @IdempotentConsumer
        void on(String payload, InboxAttempt attempt) {
            effects.add(payload + " " + attempt.number());
            if (payload.startsWith("fails") && failures.getAndIncrement() < 2) {
                throw new IllegalStateException("not yet");
            }
        }
    }

    static class Slow extends ShareGroup {

        private final CountDownLatch finish = new CountDownLatch(1);
        private final AtomicInteger deliveries = new AtomicInteger();
        private final Effects effects;

        Slow(Effects effects) {
            this.effects = effects;
        }

        @KafkaListener(
                topics = "${topic}",
                groupId = "share-${topic}",
                containerFactory = "explicit",
                concurrency = "2")
        @IdempotentConsumer
        void on(String payload) throws InterruptedException {
            deliveries.incrementAndGet();
            effects.add(payload);
            finish.await();
        }
    }

    static class Acknowledging extends ShareGroup {

        private final List<String> seen = new CopyOnWriteArrayList<>();
        private final Effects effects;

        Acknowledging(Effects effects) {
            this.effects = effects;
        }

        @KafkaListener(topics = "${topic}", groupId = "share-${topic}", containerFactory = "manual")
        @IdempotentConsumer
        void on(String payload, ShareAcknowledgment acknowledgment) {
            effects.add(payload);
            seen.add(payload);
            if (payload.equals("rejected")) {
                acknowledgment.reject();
            } else if (seen.stream().filter(payload::equals).count() == 1) {
                acknowledgment.release();
            } else {
                acknowledgment.acknowledge();
            }
        }
    }
}
