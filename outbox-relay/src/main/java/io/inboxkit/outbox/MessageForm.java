package io.inboxkit.outbox;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives messages the form in which they are kept, or refuses what their broker could never carry. Thread-safe. */
public final class MessageForm {

    /** The header in which the id travels on Kafka. */
    public static final String ID_HEADER = "message-id";

    /** The header in which the type travels on Kafka. */
    public static final String TYPE_HEADER = "type";

    /** RabbitMQ refuses headers that do not fit into one frame of its default size, and has properties in the same frame. */
    private static final int MOST_HEADER_BYTES = 131_072 - 4_096;

    private static final String JSON = "application/json";
    private static final String TEXT = "text/plain;charset=UTF-8";
    private static final String BYTES = "application/octet-stream";

    private final PayloadWriter payloads;
    private final CurrentTrace trace;

    /**
     * @param payloads what turns objects into bytes
     * @param trace what gives the headers of the trace
     */
    public MessageForm(PayloadWriter payloads, CurrentTrace trace) {
        this.payloads = payloads;
        this.trace = trace;
    }

    /**
     * The message as it will be sent.
     *
     * @throws InvalidOutboxMessageException if its broker could never carry it
     */
    public StoredMessage of(OutboxMessage message) {
        String id = message.id() == null ? MessageIds.next().toString() : message.id();
        List<OutboxHeader> headers = headers(message);
        boolean amqp = message.destination().scheme().equals(Destination.RABBITMQ);
        if (amqp) {
            checkShort(id, "id", message);
            checkShort(message.type() == null ? "" : message.type(), "type", message);
            checkHeaders(headers, message);
            if (message.payload() == null) {
                throw new InvalidOutboxMessageException(
                        "The " + message + " has no payload, but RabbitMQ has no tombstones",
                        "Call payload(…); an empty byte array is an empty body");
            }
        }
        return stored(message, id, headers);
    }

    private StoredMessage stored(OutboxMessage message, String id, List<OutboxHeader> headers) {
        Object payload = message.payload();
        byte[] bytes;
        String contentType;
        if (payload == null) {
            bytes = null;
            contentType = null;
        } else if (payload instanceof byte[] given) {
            bytes = given;
            contentType = BYTES;
        } else if (payload instanceof CharSequence text) {
            OutboxText.require(text.toString().replace('\0', ' '), "The payload of the " + message);
            bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            contentType = TEXT;
        } else {
            bytes = payloads.json(payload);
            contentType = JSON;
        }
        return new StoredMessage(id, message.destination(), message.key(), message.type(), contentType, headers, bytes);
    }

    private List<OutboxHeader> headers(OutboxMessage message) {
        for (OutboxHeader header : message.headers()) {
            if (header.name().equals(ID_HEADER)) {
                throw new InvalidOutboxMessageException(
                        "The " + message + " has a header '" + ID_HEADER + "', in which the relay sends its id",
                        "Give the id by OutboxMessage.id(…)");
            }
            if (header.name().equals(TYPE_HEADER) && message.type() != null) {
                throw new InvalidOutboxMessageException(
                        "The " + message + " has a header '" + TYPE_HEADER + "', in which the relay sends its type",
                        "Give one of the two");
            }
        }
        List<OutboxHeader> traced = trace.headers();
        if (traced.isEmpty()) {
            return message.headers();
        }
        List<OutboxHeader> all = new ArrayList<>(message.headers());
        for (OutboxHeader header : traced) {
            if (message.headers().stream().noneMatch(own -> own.name().equals(header.name()))) {
                all.add(header);
            }
        }
        return all;
    }

    private static void checkShort(@Nullable String text, String what, OutboxMessage message) {
        int bytes = text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > Destination.SHORT_STRING) {
            throw new InvalidOutboxMessageException(
                    "The " + what + " of a message to " + message.destination() + " has " + bytes + " bytes",
                    "RabbitMQ carries " + Destination.SHORT_STRING + " at most");
        }
    }

    private static void checkHeaders(List<OutboxHeader> headers, OutboxMessage message) {
        int size = 0;
        for (OutboxHeader header : headers) {
            checkShort(header.name(), "name of a header", message);
            size += header.size() + 6;
        }
        if (size > MOST_HEADER_BYTES) {
            throw new InvalidOutboxMessageException(
                    "The headers of the " + message + " have " + size + " bytes",
                    "RabbitMQ carries headers of one frame only, " + MOST_HEADER_BYTES
                            + " bytes here: put what is large into the payload");
        }
        if (headers.stream().map(OutboxHeader::name).distinct().count() < headers.size()) {
            throw new InvalidOutboxMessageException(
                    "The " + message + " has two headers of one name", "RabbitMQ carries one header of each name");
        }
    }
}
