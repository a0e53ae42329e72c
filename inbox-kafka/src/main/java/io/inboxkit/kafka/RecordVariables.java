package io.inboxkit.kafka;

import io.inboxkit.MessageVariables;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the expressions of the annotation see of a record.
 *
 * @param payloadName the name of the handler's payload parameter, or {@code null} if it has none
 */
record RecordVariables(RecordDelivery delivery, @Nullable String payloadName) implements MessageVariables {

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
            case "key" -> delivery.kafkaRecord().key();
            case "headers" -> RawHeaders.byName(delivery.kafkaRecord().headers());
            case "record", "message" -> delivery.kafkaRecord();
            default -> name.equals(payloadName) ? delivery.payload() : null;
        };
    }
}
