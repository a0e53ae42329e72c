package io.inboxkit.kafka;

import io.inboxkit.DeliveryRoute;
import io.inboxkit.Fingerprint;
import io.inboxkit.FingerprintMode;
import io.inboxkit.InboxMessage;
import io.inboxkit.InboxUnavailableException;
import io.inboxkit.MessageExpression;
import io.inboxkit.MessageId;
import io.inboxkit.MissingIdPolicy;
import io.inboxkit.MissingMessageIdException;
import io.inboxkit.Position;
import java.util.HexFormat;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * What makes a record a certain message: its id and scope, its position and the fingerprint of its payload. Thread-safe.
 *
 * @param search finds the id
 * @param scope the expression of the scope, or {@code null}
 * @param onMissing what to do without an id
 * @param mode what the fingerprint is taken of
 * @param bytes the payloads on the wire, or {@code null} if they cannot be had
 * @param topics the positions
 * @param role whether the headers about an original can be believed
 * @param replay whether somebody has asked for the deliveries
 */
record RecordIdentity(
        RecordIdSearch search,
        @Nullable MessageExpression scope,
        MissingIdPolicy onMissing,
        FingerprintMode mode,
        @Nullable WireBytes bytes,
        TopicIds topics,
        InboxListener.Role role,
        boolean replay)
        implements MessageIdentity {

    @Override
    public InboxMessage of(String consumer, RecordDelivery delivery) {
        Position position = role == InboxListener.Role.MAIN
                ? topics.of(delivery.kafkaRecord())
                : topics.ofOriginal(delivery.kafkaRecord());
        Fingerprint fingerprint = fingerprint(delivery, mode);
        MessageId id = search.find(consumer, delivery);
        if (id == null) {
            id = substitute(consumer, delivery, position, fingerprint);
        }
        InboxMessage message = id == null ? InboxMessage.withoutId(consumer) : InboxMessage.of(consumer, id);
        return message.scope(scopeOf(consumer, delivery))
                .position(position)
                .fingerprint(fingerprint)
                .route(routeOf(delivery.kafkaRecord()));
    }

    private DeliveryRoute routeOf(ConsumerRecord<?, ?> delivered) {
        if (role != InboxListener.Role.MAIN && TopicIds.isCopy(delivered)) {
            return replay ? DeliveryRoute.DEAD_LETTER_REPLAY : DeliveryRoute.DEAD_LETTER;
        }
        return replay ? DeliveryRoute.REPLAY : DeliveryRoute.LIVE;
    }

    private @Nullable String scopeOf(String consumer, RecordDelivery delivery) {
        MessageId value =
                scope == null ? null : scope.evaluate(consumer, new RecordVariables(delivery, search.payloadName()));
        return value == null ? null : value.value();
    }

    private @Nullable Fingerprint fingerprint(RecordDelivery delivery, FingerprintMode wanted) {
        return bytes == null || wanted == FingerprintMode.NONE ? null : bytes.of(delivery.kafkaRecord(), wanted);
    }

    private @Nullable MessageId substitute(
            String consumer, RecordDelivery delivery, @Nullable Position position, @Nullable Fingerprint fingerprint) {
        return switch (onMissing) {
            case PROCESS -> null;
            case USE_POSITION -> MessageId.ofText(textOf(delivery, position));
            case USE_FINGERPRINT ->
                MessageId.ofText(textOf(
                        delivery, fingerprint == null ? fingerprint(delivery, FingerprintMode.PAYLOAD) : fingerprint));
            case REJECT, DEFAULT -> throw search.missing(consumer, delivery);
        };
    }

    private static String textOf(RecordDelivery delivery, @Nullable Position position) {
        if (position == null) {
            // Another name for the same record, such as one of topic name and offset, would let it be processed twice.
            throw new InboxUnavailableException(
                    "The record at " + delivery.position()
                            + " has no message id, and its position cannot take its place"
                            + " until the broker tells the id of its topic. It must be delivered again; the consumer's"
                            + " principal needs the right to describe the topic",
                    null);
        }
        return "position:" + position.source() + "-" + position.partition() + "@" + position.offset();
    }

    private static String textOf(RecordDelivery delivery, @Nullable Fingerprint fingerprint) {
        if (fingerprint == null) {
            throw new MissingMessageIdException("The record at " + delivery.position()
                    + " has no message id, and no fingerprint of its payload can take its place, since an interceptor or"
                    + " the consumer has replaced the record. Let the producer set an id");
        }
        return "fingerprint:" + HexFormat.of().formatHex(fingerprint.toBytes());
    }
}
