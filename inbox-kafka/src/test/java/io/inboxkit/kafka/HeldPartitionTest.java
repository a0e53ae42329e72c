package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.MessageListenerContainer;

class HeldPartitionTest {

    private final MessageListenerContainer container = new ConcurrentMessageListenerContainer<>(
            new DefaultKafkaConsumerFactory<>(Map.of()), new ContainerProperties("payments"));

    @Test
    void delayDoublesUpToThirtySecondsForTheSameRecord() {
        List<Long> seconds = new ArrayList<>();
        HeldPartition held = null;
        for (int attempt = 0; attempt < 7; attempt++) {
            held = HeldPartition.of(at(42), held, true, container);
            seconds.add(held.delay().toSeconds());
        }
        assertThat(seconds).containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L);
    }

    @Test
    void anotherRecordStartsWithTheShortestDelay() {
        HeldPartition first = HeldPartition.of(at(42), null, true, container);
        HeldPartition longer = HeldPartition.of(at(42), first, true, container);
        assertThat(HeldPartition.of(at(43), longer, true, container).delay()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void positionNamesTopicPartitionAndOffset() {
        assertThat(HeldPartition.of(at(42), null, true, container).position()).isEqualTo("payments-0@42");
    }

    @Test
    void recordThatMayGoOnAndOfWhichNothingIsHeardIsSilentAfterFiveMinutes() {
        assertThat(resumedBefore(Duration.ofMinutes(4)).silent()).isFalse();
        assertThat(resumedBefore(Duration.ofMinutes(6)).silent()).isTrue();
    }

    @Test
    void waitingRecordIsNeverSilent() {
        assertThat(resumedBefore(Duration.ofMinutes(6)).dueNow().silent()).isFalse();
    }

    private HeldPartition resumedBefore(Duration time) {
        return new HeldPartition(
                "payments-0@42", 42, Duration.ofSeconds(1), System.nanoTime() - time.toNanos(), false, true, container);
    }

    private static ConsumerRecord<?, ?> at(long offset) {
        return new ConsumerRecord<>("payments", 0, offset, "key", "value");
    }
}
