package io.inboxkit.rabbitmq;

import io.inboxkit.MessageVariables;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the expressions of the annotation see of a message; its key is its routing key.
 *
 * @param payloadName the name of the handler's payload parameter, or {@code null} if it has none
 */
record DeliveryVariables(ReceivedMessage delivery, @Nullable String payloadName) implements MessageVariables {

    /** The names that an expression may refer to. */
    static Set<String> names(@Nullable String payloadName) {
        Set<String> names = new TreeSet<>(Set.of("payload", "key", "headers", "record", "message"));
        if (payloadName != null) {
            names.add(payloadName);
        }
        return names;
    }

    @Override
    public @Nullable Object get(String name) {
        return switch (name) {
            case "payload" -> delivery.payload();
            case "key" -> delivery.properties().getReceivedRoutingKey();
            case "headers" -> RawHeaders.byName(delivery.properties());
            case "record", "message" -> delivery.amqpMessage();
            default -> name.equals(payloadName) ? delivery.payload() : null;
        };
    }
}
