package io.inboxkit.kafka;

import static io.inboxkit.kafka.ListenerApplication.header;
import static org.assertj.core.api.Assertions.assertThat;

import io.inboxkit.IdempotentConsumer;
import io.inboxkit.InboxObserver;
import io.inboxkit.kafka.ListenerApplication.Effects;
import io.inboxkit.testkit.KafkaRecords;
import io.inboxkit.testkit.KafkaTopics;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.FixedBackOff;

/** Records as only strange producers send them: each has its verdict, and the next one its turn. */
class OddRecordsIT {

    private static final String GROUP = "billing";
    private static final ListenerApplication application = ListenerApplication.start(Billing.class);
    private static final Outcomes outcomes = application.bean(Outcomes.class);

    @BeforeAll
    static void createDeadLetters() {
        KafkaTopics.create(application.topic() + "-dlt", 1);
    }

    @BeforeEach
    void clear() {
        outcomes.seen.clear();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void blankIdsAreMissingAndNeverEqualEachOther() {
        application.sendWith("empty", new RecordHeader("message-id", new byte[0]));
        application.sendWith("empty too", new RecordHeader("message-id", new byte[0]));
        application.sendWith("spaces", header("message-id", "  "));
        application.sendWith("null id", new RecordHeader("message-id", (byte[]) null));
        application.awaitSettled(GROUP);

        assertThat(deadLetters()).contains("empty", "empty too", "spaces", "null id");
        assertThat(outcomes.seen).hasSize(4).containsOnly(InboxObserver.MessageOutcome.MISSING_ID);
    }

    @Test
    void equalPayloadsWithoutIdAreNotTakenForOneMessage() {
        application.send(null, "coffee, 3 euros");
        application.send(null, "coffee, 3 euros");
        application.awaitSettled(GROUP);

        assertThat(deadLetters()).filteredOn("coffee, 3 euros"::equals).hasSize(2);
        assertThat(application.effects()).doesNotContain("coffee, 3 euros");
    }

    @Test
    void nulBreaksNeitherIdNorPayload() {
        application.send("a\0b", "nul in the id");
        application.send("a\0b", "nul in the id");
        application.send("good", "nul \0 in the payload");
        application.send("good", "nul \0 in the payload");
        application.awaitSettled(GROUP);

        assertThat(application.effects()).containsOnlyOnce("nul in the id", "nul ? in the payload");
        assertThat(deadLetters()).doesNotContain("nul in the id", "nul \0 in the payload");
        assertThat(application.inbox().find(GROUP + ":" + application.topic(), "a\0b"))
                .isPresent();
    }

    @Test
    void nullInAHeaderThatIsNotTheIdStopsNobody() {
        Header trace = new RecordHeader("trace", (byte[]) null);
        // The header mapper of the framework cannot read a null that the type header names: no handler ever sees it.
        Header types = header("spring_json_header_types", "{\"trace\":\"java.lang.String\"}");
        application.sendWith("null trace", header("message-id", "null"), trace);
        application.sendWith("typed null trace", header("message-id", "typed null"), trace, types);
        application.send("after nulls", "after nulls");
        application.awaitSettled(GROUP);

        assertThat(application.effects()).containsOnlyOnce("null trace", "after nulls");
        assertThat(deadLetters()).containsOnlyOnce("typed null trace");
    }

    @Test
    void reusedIdIsCountedOnceAndDead() {
        application.send("order 7", "amount 10");
        application.send("order 7", "amount 99");
        application.awaitSettled(GROUP);

        assertThat(application.effects()).containsOnlyOnce("amount 10").doesNotContain("amount 99");
        assertThat(deadLetters()).contains("amount 99");
        assertThat(outcomes.seen)
                .containsExactly(InboxObserver.MessageOutcome.PROCESSED, InboxObserver.MessageOutcome.REUSED_ID);
    }

    @Test
    void twoIdsForOneBusinessEventAreTwoMessages() {
        application.send("payout 1", "settlement 4711");
        application.send("payout 2", "settlement 4711");
        application.awaitSettled(GROUP);

        assertThat(application.effects()).filteredOn("settlement 4711"::equals).hasSize(2);
    }

    private static List<String> deadLetters() {
        return KafkaRecords.all(application.topic() + "-dlt").stream()
                .map(dead -> String.valueOf(KafkaRecords.text(dead)))
                .toList();
    }

    static class Outcomes implements InboxObserver {

        private final Queue<MessageOutcome> seen = new ConcurrentLinkedQueue<>();

        @Override
        public void outcome(String consumer, MessageOutcome outcome) {
            seen.add(outcome);
        }
    }

    @Import(Outcomes.class)
    record Billing(Effects effects) {

        @Bean
        static DefaultErrorHandler errorHandler(KafkaTemplate<?, ?> template) {
            return new DefaultErrorHandler(new DeadLetterPublishingRecoverer(template), new FixedBackOff(0, 2));
        }

        @KafkaListener(topics = "${topic}", groupId = GROUP)
        @IdempotentConsumer
        void on(String payload) {
            effects.add(payload.replace('\0', '?'));
        }
    }
}
