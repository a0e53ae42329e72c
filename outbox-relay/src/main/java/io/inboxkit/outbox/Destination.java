package io.inboxkit.outbox;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Where a message goes: {@code kafka:<topic>} or {@code rabbitmq:<exchange>/<routing key>}.
 *
 * @param scheme the broker, {@link #KAFKA} or {@link #RABBITMQ}
 * @param name the rest of the address
 */
public record Destination(String scheme, String name) {

    /** The scheme of a Kafka topic. */
    public static final String KAFKA = "kafka";

    /** The scheme of an exchange of RabbitMQ and a routing key. */
    public static final String RABBITMQ = "rabbitmq";

    /** The longest short string of AMQP 0-9-1, in bytes. */
    static final int SHORT_STRING = 255;

    private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

    /**
     * Reads an address. The name of an exchange ends at the first slash; without a slash the routing key is empty, and without
     * a name before it the default exchange is meant, whose routing keys are queues.
     *
     * @throws InvalidOutboxMessageException if no broker has such an address
     */
    public static Destination parse(String address) {
        int colon = address.indexOf(':');
        Destination destination = colon < 0
                ? new Destination("", address)
                : new Destination(address.substring(0, colon), address.substring(colon + 1));
        switch (destination.scheme) {
            case KAFKA -> destination.checkTopic();
            case RABBITMQ -> destination.checkExchange();
            default ->
                throw new InvalidOutboxMessageException(
                        "The destination '" + address + "' names no broker that the relay knows",
                        "Use kafka:<topic> or rabbitmq:<exchange>/<routing key>");
        }
        return destination;
    }

    /** The exchange of RabbitMQ; empty for the default one. */
    public String exchange() {
        int slash = name.indexOf('/');
        return slash < 0 ? name : name.substring(0, slash);
    }

    /** The routing key of RabbitMQ. */
    public String routingKey() {
        int slash = name.indexOf('/');
        return slash < 0 ? "" : name.substring(slash + 1);
    }

    private void checkTopic() {
        if (!TOPIC.matcher(name).matches() || name.equals(".") || name.equals("..")) {
            throw new InvalidOutboxMessageException(
                    "The destination '" + this + "' is no name of a Kafka topic",
                    "Use 1 to 249 ASCII letters, digits, dots, underscores and hyphens");
        }
    }

    private void checkExchange() {
        require(exchange(), "exchange");
        require(routingKey(), "routing key");
        if (name.isEmpty()) {
            throw new InvalidOutboxMessageException(
                    "The destination '" + this + "' names neither an exchange nor a queue",
                    "Use rabbitmq:<exchange>/<routing key>, or rabbitmq:/<queue> for the default exchange");
        }
    }

    private void require(String part, String what) {
        int bytes = part.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > SHORT_STRING) {
            throw new InvalidOutboxMessageException(
                    "The " + what + " of the destination '" + part.substring(0, 20) + "…' has " + bytes + " bytes",
                    "RabbitMQ carries " + SHORT_STRING + " at most");
        }
        OutboxText.require(part, "The " + what + " of a destination");
    }

    /** The address, as it is parsed. */
    @Override
    public String toString() {
        return scheme + ":" + name;
    }
}
