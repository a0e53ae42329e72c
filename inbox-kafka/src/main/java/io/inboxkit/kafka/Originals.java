package io.inboxkit.kafka;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.support.KafkaHeaders;

/**
 * Where the record stood that another one is a copy of, as the framework notes it in the headers of records on retry topics
 * and on dead-letter topics, which have names of their own. Only for records whose headers can be believed: a producer can
 * write them as well.
 */
final class Originals {

    private Originals() {}

    static @Nullable String topic(ConsumerRecord<?, ?> copy) {
        byte[] topic = first(copy, KafkaHeaders.ORIGINAL_TOPIC, KafkaHeaders.DLT_ORIGINAL_TOPIC);
        return topic == null ? null : new String(topic, StandardCharsets.UTF_8);
    }

    /** The partition, or -1 if it is not told. */
    static int partition(ConsumerRecord<?, ?> copy) {
        byte[] partition = first(copy, KafkaHeaders.ORIGINAL_PARTITION, KafkaHeaders.DLT_ORIGINAL_PARTITION);
        return partition == null || partition.length != Integer.BYTES
                ? -1
                : ByteBuffer.wrap(partition).getInt();
    }

    /** The offset, or -1 if it is not told. */
    static long offset(ConsumerRecord<?, ?> copy) {
        byte[] offset = first(copy, KafkaHeaders.ORIGINAL_OFFSET, KafkaHeaders.DLT_ORIGINAL_OFFSET);
        return offset == null || offset.length != Long.BYTES
                ? -1
                : ByteBuffer.wrap(offset).getLong();
    }

    // Where a record was copied more than once, the later copies append their own origin.
    private static byte @Nullable [] first(ConsumerRecord<?, ?> copy, String header, String deadLetterHeader) {
        for (Header value : copy.headers().headers(header)) {
            return value.value();
        }
        for (Header value : copy.headers().headers(deadLetterHeader)) {
            return value.value();
        }
        return null;
    }
}
