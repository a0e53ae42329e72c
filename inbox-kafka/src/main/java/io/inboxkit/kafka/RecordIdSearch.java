package io.inboxkit.kafka;

import io.inboxkit.MessageExpression;
import io.inboxkit.MessageId;
import io.inboxkit.MessageIdSearch;
import io.inboxkit.MissingMessageIdException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the id of a record: by the expression of the annotation, else in the headers. Thread-safe.
 *
 * @param expression the expression of the id, or {@code null}
 * @param headers the search in the headers
 * @param payloadName the name of the handler's payload parameter, or {@code null} if it has none
 */
record RecordIdSearch(@Nullable MessageExpression expression, MessageIdSearch headers, @Nullable String payloadName) {

    @Nullable
    MessageId find(String consumer, RecordDelivery delivery) {
        if (expression != null) {
            MessageId id = expression.evaluate(consumer, new RecordVariables(delivery, payloadName));
            if (id != null) {
                return id;
            }
        }
        return headers.find(RawHeaders.of(delivery.kafkaRecord().headers())).orElse(null);
    }

    MissingMessageIdException missing(String consumer, RecordDelivery delivery) {
        List<String> places = expression == null ? List.of() : List.of("the expression " + expression.text());
        return headers.missing(
                consumer,
                delivery.position(),
                places,
                RawHeaders.of(delivery.kafkaRecord().headers()));
    }

    /** How the start-up line names the source of the id. */
    @Override
    public String toString() {
        String byHeader = "headers " + headers.names();
        return expression == null ? byHeader : "expression " + expression.text() + ", " + byHeader;
    }
}
