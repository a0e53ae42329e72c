package io.inboxkit.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class KafkaServiceIT {

    private final String topic = KafkaTopics.createUnique("kit", 2);

    @Test
    void recordsAreReadAsTheyWereSent() {
        KafkaRecords.send(topic, "one", "message-id", "m1", "trace", null);
        KafkaRecords.send(topic, null);

        assertThat(KafkaRecords.all(topic))
                .satisfiesExactly(
                        record -> {
                            assertThat(KafkaRecords.text(record)).isEqualTo("one");
                            assertThat(record.headers().lastHeader("message-id").value())
                                    .asString()
                                    .isEqualTo("m1");
                            assertThat(record.headers().lastHeader("trace").value())
                                    .isNull();
                        },
                        record -> assertThat(record.value()).isNull());
    }

    @Test
    void lagIsWhatTheGroupHasNotCommitted() {
        List.of("one", "two", "three").forEach(text -> KafkaRecords.send(topic, text));
        String group = KafkaTopics.uniqueName("group");

        KafkaTopics.commit(group, new TopicPartition(topic, 0), 2);
        assertThat(KafkaTopics.lag(group, topic)).isEqualTo(1);

        KafkaTopics.commit(group, new TopicPartition(topic, 0), 3);
        KafkaTopics.awaitNoLag(group, topic);
    }

    @Test
    void aTopicThatIsCreatedAgainHasAnotherId() {
        Uuid first = KafkaTopics.id(topic);
        KafkaTopics.delete(topic);
        KafkaTopics.create(topic, 1);

        assertThat(KafkaTopics.id(topic)).isNotEqualTo(first);
        assertThat(KafkaRecords.all(topic)).isEmpty();
    }
}
