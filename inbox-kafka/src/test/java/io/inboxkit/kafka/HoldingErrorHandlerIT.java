package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.inboxkit.MessageInProgressException;
import io.inboxkit.MissingMessageIdException;
import io.inboxkit.UndeliverableAction;
import java.time.Duration;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.kafka.listener.CommonLoggingErrorHandler;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.DefaultAfterRollbackProcessor;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.util.backoff.FixedBackOff;

@ExtendWith(OutputCaptureExtension.class)
class HoldingErrorHandlerIT {

    private final Queue<String> recovered = new ConcurrentLinkedQueue<>();

    private String topic = "";

    private String group = "";

    @BeforeEach
    void newTopic() {
        topic = TestBroker.newTopic(2);
        group = "group-" + UUID.randomUUID();
    }

    @ParameterizedTest
    @EnumSource(AckMode.class)
    void undecidedRecordWaitsWhileTheOtherPartitionGoesOn(AckMode ackMode) {
        TestBroker.send(topic, 0, "a0", "a1", "a2");
        TestBroker.send(topic, 1, "b0", "b1", "b2");
        try (TestListener listener = new TestListener(topic, group).with(container -> {
            container.getContainerProperties().setAckMode(ackMode);
            container.getContainerProperties().setAckTime(100);
            container.getContainerProperties().setAckCount(2);
        })) {
            listener.verdict = undecided("a1");
            listener.start();
            await().untilAsserted(() -> assertThat(listener.handled).containsExactlyInAnyOrder("a0", "b0", "b1", "b2"));
            await().untilAsserted(() -> assertThat(listener.heldPositions()).containsExactly(topic + "-0@1"));
            TestBroker.send(topic, 1, "b3");
            await().untilAsserted(() -> assertThat(listener.handled).contains("b3"));
            assertThat(listener.committed(topic, 0)).isLessThanOrEqualTo(1);

            listener.verdict = delivered -> null;
            await().untilAsserted(() -> assertThat(listener.handled)
                    .containsExactlyInAnyOrder("a0", "b0", "b1", "b2", "b3", "a1", "a2")
                    .containsSubsequence("a0", "a1", "a2"));
            assertThat(listener.heldPositions()).isEmpty();
            await().untilAsserted(() -> {
                assertThat(listener.committed(topic, 0)).isEqualTo(3);
                assertThat(listener.committed(topic, 1)).isEqualTo(4);
            });
            assertThat(listener.container.isPartitionPauseRequested(partition(0)))
                    .isFalse();
        }
    }

    @Test
    void undecidedRecordUsesUpNoAttemptOfTheApplicationsErrorHandler(CapturedOutput output) {
        TestBroker.send(topic, 0, "a0", "a1");
        try (TestListener listener = new TestListener(topic, group)
                .with(container -> container.setCommonErrorHandler(recovering(new FixedBackOff(0, 0))))) {
            listener.verdict = undecided("a0");
            listener.start();
            await().untilAsserted(() -> assertThat(listener.attempts).hasValueGreaterThanOrEqualTo(3));
            listener.verdict = delivered -> null;
            await().untilAsserted(() -> assertThat(listener.handled).containsExactly("a0", "a1"));
            assertThat(recovered).isEmpty();
        }
        assertThat(output.getAll().lines().filter(line -> line.contains("cannot decide whether " + topic)))
                .hasSize(1);
        assertThat(output.getAll().lines().filter(line -> line.contains("ERROR") && line.contains(group)))
                .isEmpty();
    }

    @Test
    void otherFailureKeepsItsAttemptsAndItsRecovery() {
        TestBroker.send(topic, 0, "a0", "a1");
        try (TestListener listener = new TestListener(topic, group)
                .with(container -> container.setCommonErrorHandler(recovering(new FixedBackOff(0, 2))))) {
            listener.verdict = failing("a0");
            listener.start();
            await().untilAsserted(() -> assertThat(listener.handled).containsExactly("a1"));
            assertThat(recovered).containsExactly("a0");
            assertThat(listener.attempts).hasValue(4);
            assertThat(listener.assigned).containsExactlyInAnyOrder(partition(0), partition(1));
        }
    }

    @Test
    void errorHandlerThatDoesNotSeekStillSeesOneRecordAtATime() {
        TestBroker.send(topic, 0, "a0", "a1", "a2");
        DefaultErrorHandler handler = recovering(new FixedBackOff(0, 2));
        handler.setSeekAfterError(false);
        try (TestListener listener =
                new TestListener(topic, group).with(container -> container.setCommonErrorHandler(handler))) {
            listener.verdict = failing("a1");
            listener.start();
            await().untilAsserted(() -> assertThat(listener.handled).containsExactly("a0", "a2"));
            assertThat(recovered).containsExactly("a1");
            assertThat(listener.attempts).hasValue(5);
            await().untilAsserted(() -> assertThat(listener.committed(topic, 0)).isEqualTo(3));
        }
    }

    @Test
    void errorHandlerThatOnlyLogsDoesNotSkipAnUndecidedRecord() {
        TestBroker.send(topic, 0, "a0", "a1");
        TestBroker.send(topic, 1, "b0");
        try (TestListener listener = new TestListener(topic, group)
                .with(container -> container.setCommonErrorHandler(new CommonLoggingErrorHandler()))) {
            listener.verdict = undecided("a0");
            listener.start();
            await().untilAsserted(() -> assertThat(listener.handled).containsExactly("b0"));
            listener.verdict = failing("a1");
            await().untilAsserted(() -> assertThat(listener.handled).containsExactly("b0", "a0"));
            await().untilAsserted(() -> assertThat(listener.committed(topic, 0)).isEqualTo(2));
        }
    }

    @Test
    void refusedRecordWithoutErrorHandlerIsHeldAndTheLogSaysWhatToDo(CapturedOutput output) {
        TestBroker.send(topic, 0, "a0", "a1");
        TestBroker.send(topic, 1, "b0");
        try (TestListener listener = new TestListener(topic, group)) {
            listener.verdict = refusing("a0");
            listener.start();
            await().untilAsserted(() -> assertThat(listener.handled).containsExactly("b0"));
            await().untilAsserted(() -> assertThat(listener.attempts).hasValueGreaterThanOrEqualTo(3));
            assertThat(listener.heldPositions()).containsExactly(topic + "-0@0");
        }
        assertThat(output.getAll().lines().filter(line -> line.contains("ERROR") && line.contains(topic)))
                .singleElement()
                .asString()
                .contains(topic + "-0@0", "DeadLetterPublishingRecoverer", "inbox.reject.without-dead-letter=DROP");
    }

    @Test
    void refusedRecordIsSkippedWithoutErrorHandlerIfTheApplicationWantsThat() {
        TestBroker.send(topic, 0, "a0", "a1");
        try (TestListener listener = new TestListener(topic, group)) {
            listener.withoutDeadLetter = UndeliverableAction.DROP;
            listener.verdict = refusing("a0");
            listener.start();
            await().untilAsserted(() -> assertThat(listener.handled).containsExactly("a1"));
            assertThat(listener.attempts).hasValue(2);
            assertThat(listener.heldPositions()).isEmpty();
        }
    }

    @Test
    void refusedRecordGoesToTheApplicationsErrorHandlerWithoutARetry() {
        TestBroker.send(topic, 0, "a0", "a1");
        try (TestListener listener = new TestListener(topic, group)
                .with(container -> container.setCommonErrorHandler(recovering(new FixedBackOff(0, 5))))) {
            listener.verdict = refusing("a0");
            listener.start();
            await().untilAsserted(() -> assertThat(listener.handled).containsExactly("a1"));
            assertThat(recovered).containsExactly("a0");
            assertThat(listener.attempts).hasValue(2);
        }
    }

    @Test
    void undecidedRecordIsHeldAfterTheRollbackOfAKafkaTransaction() {
        TestBroker.send(topic, 0, "a0", "a1");
        TestBroker.send(topic, 1, "b0");
        try (TestListener listener = new TestListener(topic, group).with(container -> {
            container
                    .getContainerProperties()
                    .setKafkaAwareTransactionManager(new KafkaTransactionManager<>(TestBroker.transactions()));
            container.setAfterRollbackProcessor(new DefaultAfterRollbackProcessor<>(
                    (failed, cause) -> recovered.add(String.valueOf(failed.value())), new FixedBackOff(0, 0)));
        })) {
            listener.verdict = undecided("a0");
            listener.start();
            await().untilAsserted(() -> assertThat(listener.handled).containsExactly("b0"));
            await().untilAsserted(() -> assertThat(listener.attempts).hasValueGreaterThanOrEqualTo(3));
            assertThat(listener.heldPositions()).containsExactly(topic + "-0@0");
            listener.verdict = failing("a1");
            await().untilAsserted(() -> assertThat(listener.handled).containsExactly("b0", "a0"));
            await().untilAsserted(() -> assertThat(recovered).containsExactly("a1"));
            assertThat(listener.heldPositions()).isEmpty();
        }
    }

    @Test
    void stoppedContainerHoldsNothingAndGoesOnAfterARestart() {
        TestBroker.send(topic, 0, "a0");
        try (TestListener listener = new TestListener(topic, group)) {
            listener.verdict = undecided("a0");
            listener.start();
            await().untilAsserted(() -> assertThat(listener.heldPositions()).hasSize(1));
            listener.container.stop();
            await().untilAsserted(() -> assertThat(listener.heldPositions()).isEmpty());
            listener.verdict = delivered -> null;
            listener.container.start();
            await().untilAsserted(() -> assertThat(listener.handled).containsExactly("a0"));
        }
    }

    @Test
    void partitionThatMovesAwayIsHeldOnlyByItsNewOwnerAndStaysPausedNowhere() {
        TestBroker.send(topic, 0, "a0");
        TestBroker.send(topic, 1, "b0");
        try (TestListener first = new TestListener(topic, group);
                TestListener second = new TestListener(topic, group)) {
            first.verdict = delivered -> inProgress();
            second.verdict = delivered -> inProgress();
            first.start();
            await().untilAsserted(() -> assertThat(first.heldPositions()).hasSize(2));
            second.start();
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                assertThat(first.heldPositions()).hasSize(1);
                assertThat(second.heldPositions()).hasSize(1);
                assertThat(first.heldPositions()).doesNotContainAnyElementsOf(second.heldPositions());
            });
            second.close();
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(first.heldPositions()).hasSize(2));
            first.verdict = delivered -> null;
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(first.handled).containsExactlyInAnyOrder("a0", "b0"));
            assertThat(first.heldPositions()).isEmpty();
        }
    }

    private DefaultErrorHandler recovering(FixedBackOff backOff) {
        return new DefaultErrorHandler((failed, cause) -> recovered.add(String.valueOf(failed.value())), backOff);
    }

    private TopicPartition partition(int partition) {
        return new TopicPartition(topic, partition);
    }

    private static Function<ConsumerRecord<String, String>, @Nullable RuntimeException> undecided(String value) {
        return delivered -> value.equals(delivered.value()) ? inProgress() : null;
    }

    private static MessageInProgressException inProgress() {
        return new MessageInProgressException("Another transaction holds the id", null);
    }

    private static Function<ConsumerRecord<String, String>, @Nullable RuntimeException> refusing(String value) {
        return delivered ->
                value.equals(delivered.value()) ? new MissingMessageIdException("No header carries an id") : null;
    }

    private static Function<ConsumerRecord<String, String>, @Nullable RuntimeException> failing(String value) {
        return delivered -> value.equals(delivered.value()) ? new IllegalArgumentException("out of stock") : null;
    }
}
