package io.inboxkit.outbox.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.inboxkit.testkit.KafkaRecords;
import io.inboxkit.testkit.KafkaTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** What arrived on a topic, whose messages have numbers as payload that rise with each key. */
record Wire(List<ConsumerRecord<@Nullable String, byte @Nullable []>> records) {

    /** Waits until at least that many records are there. */
    static Wire received(String topic, int count) {
        await().atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofMillis(100))
                .untilAsserted(() -> assertThat(records(topic)).isGreaterThanOrEqualTo(count));
        return new Wire(KafkaRecords.all(topic));
    }

    static long records(String topic) {
        return KafkaTopics.endOffsets(topic).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    static String text(ConsumerRecord<@Nullable String, byte @Nullable []> record) {
        byte[] value = record.value();
        return value == null ? "" : new String(value, UTF_8);
    }

    static String id(ConsumerRecord<@Nullable String, byte @Nullable []> record) {
        return new String(record.headers().lastHeader("message-id").value(), UTF_8);
    }

    /** The numbers of the first copies, by key, as they are on the wire. */
    Map<String, List<Integer>> firstCopies() {
        Map<String, List<Integer>> numbers = new LinkedHashMap<>();
        Set<String> seen = new HashSet<>();
        for (var record : records) {
            if (seen.add(id(record))) {
                numbers.computeIfAbsent(String.valueOf(record.key()), key -> new ArrayList<>())
                        .add(Integer.parseInt(text(record)));
            }
        }
        return numbers;
    }

    List<String> texts() {
        return records.stream().map(Wire::text).toList();
    }

    int repeats() {
        return records.size() - (int) records.stream().map(Wire::id).distinct().count();
    }

    void assertFirstCopiesInOrder() {
        firstCopies()
                .forEach((key, numbers) ->
                        assertThat(numbers).as("first copies of key %s", key).isSorted());
    }

    void assertNoRepeats() {
        assertThat(repeats()).as("repeats").isZero();
    }
}
