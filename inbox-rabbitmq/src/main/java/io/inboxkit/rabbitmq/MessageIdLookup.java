package io.inboxkit.rabbitmq;

import io.inboxkit.MessageExpression;
import io.inboxkit.MessageId;
import io.inboxkit.MessageIdSearch;
import io.inboxkit.MissingMessageIdException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the id of a message: by the expression of the annotation, else in the property {@code message_id}, else in the
 * headers. Thread-safe.
 *
 * @param expression the expression of the id, or {@code null}
 * @param headers the search in the headers
 * @param payloadName the name of the handler's payload parameter, or {@code null} if it has none
 */
record MessageIdLookup(@Nullable MessageExpression expression, MessageIdSearch headers, @Nullable String payloadName) {

    private static final String PROPERTY = "property message_id";

    @Nullable
    MessageId find(String consumer, ReceivedMessage delivery) {
        if (expression != null) {
            MessageId id = expression.evaluate(consumer, new DeliveryVariables(delivery, payloadName));
            if (id != null) {
                return id;
            }
        }
        MessageId id = MessageId.of(RawHeaders.intact(delivery.properties().getMessageId(), PROPERTY));
        if (id == null) {
            id = headers.find(RawHeaders.of(delivery.properties(), headers.names()))
                    .orElse(null);
        }
        return id == null ? null : delivery.own(id);
    }

    MissingMessageIdException missing(String consumer, ReceivedMessage delivery) {
        List<String> places = new ArrayList<>();
        if (expression != null) {
            places.add("the expression " + expression.text());
        }
        places.add("the " + PROPERTY);
        return headers.missing(consumer, delivery.position(), places, RawHeaders.of(delivery.properties(), List.of()));
    }

    /** How the start-up line names the source of the id. */
    @Override
    public String toString() {
        String byMessage = PROPERTY + ", headers " + headers.names();
        return expression == null ? byMessage : "expression " + expression.text() + ", " + byMessage;
    }
}
