package io.inboxkit.outbox;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message to be published. Immutable; each method gives a changed copy. Arrays are not copied and must not be changed
 * before the message is published.
 *
 * <pre>{@code
 * outbox.publish(OutboxMessage.to("kafka:orders").key(order.id()).type("OrderPlaced").payload(event));
 * }</pre>
 */
public final class OutboxMessage {

    private final Destination destination;
    private final @Nullable String id;
    private final byte @Nullable [] key;
    private final @Nullable String type;
    private final List<OutboxHeader> headers;
    private final @Nullable Object payload;

    private OutboxMessage(
            Destination destination,
            @Nullable String id,
            byte @Nullable [] key,
            @Nullable String type,
            List<OutboxHeader> headers,
            @Nullable Object payload) {
        this.destination = destination;
        this.id = id;
        this.key = key;
        this.type = type;
        this.headers = headers;
        this.payload = payload;
    }

    /**
     * A message to {@code kafka:<topic>} or {@code rabbitmq:<exchange>/<routing key>}.
     *
     * @throws InvalidOutboxMessageException if no broker has such an address
     */
    public static OutboxMessage to(String destination) {
        return new OutboxMessage(Destination.parse(destination), null, null, null, List.of(), null);
    }

    /**
     * The id by which a consumer knows repeats again; without one it is a new UUID of version 7. The same id twice is sent
     * twice.
     *
     * @param id a UUID or a text that is not blank
     * @throws InvalidOutboxMessageException if it is anything else
     */
    public OutboxMessage id(Object id) {
        if (!(id instanceof UUID || id instanceof CharSequence) || id.toString().isBlank()) {
            throw new InvalidOutboxMessageException(
                    "The id of a message to " + destination + " is "
                            + (id instanceof CharSequence
                                    ? "blank"
                                    : "of type " + id.getClass().getName()),
                    "Give a UUID or a text, or none to have a new one");
        }
        return new OutboxMessage(
                destination, OutboxText.require(id.toString(), "The id of a message"), key, type, headers, payload);
    }

    /**
     * What the message is about: messages with the same destination and key are published in order, and on Kafka the key is
     * that of the record. A message without a key has no order.
     *
     * @param key bytes as they are, else a text, UUID, number or enum constant, whose text is sent as UTF-8; {@code null} for
     *     no key
     * @throws InvalidOutboxMessageException if it is anything else
     */
    public OutboxMessage key(@Nullable Object key) {
        byte[] bytes;
        if (key == null) {
            bytes = null;
        } else if (key instanceof byte[] given) {
            bytes = given;
        } else if (key instanceof CharSequence
                || key instanceof UUID
                || key instanceof Number
                || key instanceof Enum<?>
                || key instanceof Character) {
            bytes = utf8(key.toString(), "The key of a message");
        } else {
            throw new InvalidOutboxMessageException(
                    "The key of a message to " + destination + " is of type "
                            + key.getClass().getName() + ", whose text might change",
                    "Give a text, a UUID, a number or bytes");
        }
        return new OutboxMessage(destination, id, bytes, type, headers, payload);
    }

    /** What kind of message it is: header {@code type} on Kafka, property {@code type} on RabbitMQ. */
    public OutboxMessage type(String type) {
        return new OutboxMessage(
                destination, id, key, OutboxText.require(type, "The type of a message"), headers, payload);
    }

    /** Adds a header with the UTF-8 bytes of a text; {@code null} for a header without a value. */
    public OutboxMessage header(String name, @Nullable String value) {
        return header(name, value == null ? null : utf8(value, "The header '" + name + "'"));
    }

    /** Adds a header with these bytes; {@code null} for a header without a value. */
    public OutboxMessage header(String name, byte @Nullable [] value) {
        List<OutboxHeader> longer = new ArrayList<>(headers);
        longer.add(new OutboxHeader(OutboxText.require(name, "The name of a header"), value));
        return new OutboxMessage(destination, id, key, type, List.copyOf(longer), payload);
    }

    /**
     * What is sent: bytes as they are, text as UTF-8, any other object as JSON at the time it is published, {@code null} as a
     * tombstone.
     */
    public OutboxMessage payload(@Nullable Object payload) {
        return new OutboxMessage(destination, id, key, type, headers, payload);
    }

    /** Where it goes. */
    public Destination destination() {
        return destination;
    }

    /** The id, or {@code null} for a new one. */
    public @Nullable String id() {
        return id;
    }

    /** The bytes of the key, or {@code null} for none. */
    public byte @Nullable [] key() {
        return key;
    }

    /** The type, or {@code null} for none. */
    public @Nullable String type() {
        return type;
    }

    /** The headers in their order. */
    public List<OutboxHeader> headers() {
        return headers;
    }

    /** The payload as it was given. */
    public @Nullable Object payload() {
        return payload;
    }

    private static byte[] utf8(String text, String what) {
        // A NUL is no harm here: keys, headers and payloads are kept as bytes.
        OutboxText.require(text.replace('\0', ' '), what);
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Destination and type; the rest may be confidential. */
    @Override
    public String toString() {
        return "message to " + destination + (type == null ? "" : " of type " + type);
    }
}
