package io.inboxkit.rabbitmq;

import io.inboxkit.Fingerprint;
import io.inboxkit.FingerprintMode;
import io.inboxkit.InboxMessage;
import io.inboxkit.MessageExpression;
import io.inboxkit.MessageId;
import io.inboxkit.MissingIdPolicy;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What makes a delivery a certain message: its id and scope, and the fingerprint of its body. Thread-safe.
 *
 * @param search finds the id
 * @param scope the expression of the scope, or {@code null}
 * @param onMissing what to do without an id
 * @param mode what the fingerprint is taken of
 */
record MessageIdentity(
        MessageIdLookup search, @Nullable MessageExpression scope, MissingIdPolicy onMissing, FingerprintMode mode) {

    InboxMessage of(String consumer, ReceivedMessage delivery) {
        MessageId id = search.find(consumer, delivery);
        if (id == null) {
            id = substitute(consumer, delivery);
        }
        InboxMessage message = id == null ? InboxMessage.withoutId(consumer) : InboxMessage.of(consumer, id);
        return message.scope(scopeOf(consumer, delivery)).fingerprint(fingerprint(delivery, mode));
    }

    private @Nullable String scopeOf(String consumer, ReceivedMessage delivery) {
        MessageId value =
                scope == null ? null : scope.evaluate(consumer, new DeliveryVariables(delivery, search.payloadName()));
        return value == null ? null : value.value();
    }

    private static @Nullable Fingerprint fingerprint(ReceivedMessage delivery, FingerprintMode wanted) {
        return Fingerprint.of(delivery.amqpMessage().getBody(), wanted);
    }

    private @Nullable MessageId substitute(String consumer, ReceivedMessage delivery) {
        return switch (onMissing) {
            case PROCESS -> null;
            case USE_FINGERPRINT -> {
                Fingerprint fingerprint = Objects.requireNonNull(
                        fingerprint(delivery, mode == FingerprintMode.NONE ? FingerprintMode.PAYLOAD : mode));
                yield MessageId.ofText("fingerprint:" + HexFormat.of().formatHex(fingerprint.toBytes()));
            }
            // USE_POSITION stops the start.
            case USE_POSITION, REJECT, DEFAULT -> throw search.missing(consumer, delivery);
        };
    }
}
