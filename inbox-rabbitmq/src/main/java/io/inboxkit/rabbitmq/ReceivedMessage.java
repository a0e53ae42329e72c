package io.inboxkit.rabbitmq;

import io.inboxkit.MessageId;
import java.util.Objects;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;

/** A message as it was received: what its identity is read from. */
interface ReceivedMessage {

    Message amqpMessage();

    /** The payload as it was converted for the handler. */
    Object payload();

    default MessageProperties properties() {
        return amqpMessage().getMessageProperties();
    }

    default long tag() {
        return properties().getDeliveryTag();
    }

    default String queue() {
        return Objects.requireNonNullElse(properties().getConsumerQueue(), "");
    }

    /** Where the message stands, as long as it is unacknowledged, such as {@code orders#42 (amq.ctag-…)}. */
    default String position() {
        String fragment = amqpMessage() instanceof FragmentMessage part ? "." + part.number() : "";
        return queue() + "#" + tag() + fragment + " (" + properties().getConsumerTag() + ")";
    }

    /** Whether the delivery is done with this message; a batch of the producer is one delivery of many messages. */
    default boolean endsDelivery() {
        return !(amqpMessage() instanceof FragmentMessage) || properties().isLastInBatch();
    }

    /**
     * The id that this message has, if that is what its properties say: the messages of a producer's batch share their
     * properties, so they are numbered.
     */
    default MessageId own(MessageId id) {
        // A text that no message of its own can have for its id, unless somebody wants it to.
        return amqpMessage() instanceof FragmentMessage part ? MessageId.ofText(id.value() + '\0' + part.number()) : id;
    }

    /** A message of a consumer's batch. */
    record OfBatch(Message amqpMessage, Object payload) implements ReceivedMessage {}
}
