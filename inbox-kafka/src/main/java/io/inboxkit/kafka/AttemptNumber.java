package io.inboxkit.kafka;

import java.nio.ByteBuffer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.springframework.kafka.retrytopic.RetryTopicHeaders;
import org.springframework.kafka.support.KafkaHeaders;

/**
 * Reads which delivery of a record this is. A header is read only where the framework has written it, since any producer can
 * write it too; it is for logs, so what makes no sense is taken for 1.
 *
 * @param counted whether the container adds its count of deliveries to each record
 * @param role whether the headers of a retry topic can be believed
 */
record AttemptNumber(boolean counted, InboxListener.Role role) {

    int of(ConsumerRecord<?, ?> delivered) {
        if (delivered.deliveryCount().isPresent()) {
            return Math.max(1, delivered.deliveryCount().get());
        }
        int before =
                role == InboxListener.Role.RETRY ? read(delivered, RetryTopicHeaders.DEFAULT_HEADER_ATTEMPTS) - 1 : 0;
        // Each retry topic counts its own deliveries from 1 on.
        return before + (counted ? read(delivered, KafkaHeaders.DELIVERY_ATTEMPT) : 1);
    }

    private static int read(ConsumerRecord<?, ?> delivered, String name) {
        Header header = delivered.headers().lastHeader(name);
        byte[] value = header == null ? null : header.value();
        int number = value == null || value.length != Integer.BYTES
                ? 1
                : ByteBuffer.wrap(value).getInt();
        // No container counts as far, so that the sum of two cannot overflow.
        return number < 1 || number > Short.MAX_VALUE ? 1 : number;
    }
}
