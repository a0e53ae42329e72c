package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.inboxkit.kafka.InboxListener.Role;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class AttemptNumberTest {

    private static final String CONTAINER = "kafka_deliveryAttempt";
    private static final String RETRY_TOPIC = "retry_topic-attempts";

    private final ConsumerRecord<String, String> delivered = new ConsumerRecord<>("t", 0, 0, "key", "value");

    @Test
    void headersAreReadOnlyWhereTheFrameworkHasWrittenThem() {
        header(CONTAINER, 3);
        header(RETRY_TOPIC, 5);

        assertThat(new AttemptNumber(false, Role.MAIN).of(delivered)).isEqualTo(1);
        assertThat(new AttemptNumber(true, Role.MAIN).of(delivered)).isEqualTo(3);
        assertThat(new AttemptNumber(false, Role.RETRY).of(delivered)).isEqualTo(5);
        assertThat(new AttemptNumber(true, Role.RETRY).of(delivered)).isEqualTo(7);
        assertThat(new AttemptNumber(false, Role.DEAD_LETTERS).of(delivered)).isEqualTo(1);
    }

    @Test
    void lastHeaderIsTheContainers() {
        header(CONTAINER, 9);
        header(CONTAINER, 2);

        assertThat(new AttemptNumber(true, Role.MAIN).of(delivered)).isEqualTo(2);
    }

    @Test
    void nonsenseIsTakenForOne() {
        AttemptNumber number = new AttemptNumber(true, Role.RETRY);
        assertThat(number.of(delivered)).isEqualTo(1);
        header(CONTAINER, -3);
        header(RETRY_TOPIC, Integer.MAX_VALUE);
        assertThat(number.of(delivered)).isEqualTo(1);
        delivered.headers().add(CONTAINER, new byte[] {1, 2, 3}).add(RETRY_TOPIC, null);
        assertThat(number.of(delivered)).isEqualTo(1);
    }

    @Test
    void shareGroupCountsByItself() {
        var shared = new ConsumerRecord<>(
                "t",
                0,
                0,
                0,
                TimestampType.CREATE_TIME,
                0,
                0,
                "key",
                "value",
                new RecordHeaders(),
                Optional.empty(),
                Optional.of((short) 4));

        assertThat(new AttemptNumber(false, Role.MAIN).of(shared)).isEqualTo(4);
    }

    private void header(String name, int value) {
        delivered
                .headers()
                .add(name, ByteBuffer.allocate(Integer.BYTES).putInt(value).array());
    }
}
