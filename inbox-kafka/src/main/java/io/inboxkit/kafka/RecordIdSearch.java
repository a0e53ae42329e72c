package io.inboxkit.kafka;

import io.inboxkit.MessageId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the id of a record: by the expression of the annotation, else in the headers. Thread-safe. */
final class RecordIdSearch {

    private final @Nullable RecordExpression expression;
    private final List<String> headers;

    RecordIdSearch(@Nullable RecordExpression expression, List<String> headers) {
        this.expression = expression;
        this.headers = headers;
    }

    @Nullable
    MessageId find(RecordDelivery delivery) {
        MessageId id = expression == null ? null : MessageId.of(expression.valueOf(delivery));
        if (id != null) {
            return id;
        }
        var values = RawHeaders.byName(delivery.kafkaRecord().headers());
        for (String header : headers) {
            id = MessageId.of(values.get(header));
            if (id != null) {
                return id;
            }
        }
        return null;
    }

    String whereLooked(RecordDelivery delivery) {
        return "Looked at " + this;
    }

    /** How the start-up line names the source of the id. */
    @Override
    public String toString() {
        String byHeader = "headers " + headers;
        return expression == null ? byHeader : "expression " + expression + ", " + byHeader;
    }
}
