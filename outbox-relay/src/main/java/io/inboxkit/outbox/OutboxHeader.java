package io.inboxkit.outbox;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A header of a message as it leaves: on Kafka these bytes, on RabbitMQ a long string of them.
 *
 * @param name the name; may be used more than once on Kafka
 * @param value the bytes, or {@code null}; not copied
 */
@SuppressWarnings("ArrayRecordComponent")
public record OutboxHeader(String name, byte @Nullable [] value) {

    static OutboxHeader ofText(String name, @Nullable String value) {
        return new OutboxHeader(name, value == null ? null : value.getBytes(StandardCharsets.UTF_8));
    }

    int size() {
        return name.getBytes(StandardCharsets.UTF_8).length + (value == null ? 0 : value.length);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof OutboxHeader header && name.equals(header.name) && Arrays.equals(value, header.value);
    }

    @Override
    public int hashCode() {
        return 31 * name.hashCode() + Arrays.hashCode(value);
    }

    /** The name and the size; values may be confidential. */
    @Override
    public String toString() {
        return name + "[" + (value == null ? "null" : value.length + " bytes") + "]";
    }
}
