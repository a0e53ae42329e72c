package io.inboxkit.kafka;

import io.inboxkit.HandlerSignature;
import io.inboxkit.InboxAttempt;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.kafka.support.KafkaNull;
import org.springframework.kafka.support.ShareAcknowledgment;
import org.springframework.kafka.support.converter.KafkaMessageHeaders;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.messaging.support.GenericMessage;

/** One record on its way into the handler: what the adapter provides for the call. */
final class RecordDelivery {

    private final InvocableHandlerMethod handler;
    private final Message<?> message;
    private @Nullable Object[] provided;
    private final ConsumerRecord<?, ?> kafkaRecord;
    private final @Nullable Acknowledgment acknowledgment;
    private boolean acknowledgedOnReturn;
    private @Nullable Object result;

    RecordDelivery(InvocableHandlerMethod handler, Message<?> message, @Nullable Object[] provided) {
        this.handler = handler;
        this.message = message;
        this.provided = provided;
        this.kafkaRecord = find(ConsumerRecord.class, provided);
        ShareAcknowledgment shared = last(ShareAcknowledgment.class, provided);
        this.acknowledgment = shared == null ? last(Acknowledgment.class, provided) : new SharedAcknowledgment(shared);
    }

    ConsumerRecord<?, ?> kafkaRecord() {
        return kafkaRecord;
    }

    /** The container's own acknowledgment, or {@code null} in a mode in which the container acknowledges by itself. */
    @Nullable
    Acknowledgment acknowledgment() {
        return acknowledgment;
    }

    /** The consumer that has fetched the record, or {@code null} if the adapter does not tell it. */
    @Nullable
    Consumer<?, ?> consumer() {
        return last(Consumer.class, provided);
    }

    /** Takes the return of the handler for an acknowledgement: its container leaves that to the listener. */
    void acknowledgeOnReturn() {
        acknowledgedOnReturn = true;
    }

    boolean isAcknowledgedOnReturn() {
        return acknowledgedOnReturn;
    }

    /**
     * Lets the record come again with the next poll.
     *
     * @throws IllegalStateException if the container is not one of a share group, in which the listener acknowledges
     */
    void postpone() {
        if (!(acknowledgment instanceof SharedAcknowledgment shared)) {
            throw new IllegalStateException("The record at " + position() + " cannot be postponed: its container has no"
                    + " acknowledgment of a share group in mode MANUAL. Look for an interceptor that replaces it");
        }
        shared.postpone();
    }

    /** The payload as it was converted for the handler, or {@code null} for a tombstone. */
    @Nullable
    Object payload() {
        // The adapter converts nothing for a handler that takes the record alone.
        return message.getPayload() instanceof KafkaNull ? kafkaRecord.value() : message.getPayload();
    }

    /** Hands the handler its attempt, too. */
    void provide(InboxAttempt attempt) {
        provided = Arrays.copyOf(provided, provided.length + 1);
        provided[provided.length - 1] = attempt;
    }

    /** Where the record stands, such as {@code payments-0@42}. */
    String position() {
        return kafkaRecord.topic() + "-" + kafkaRecord.partition() + "@" + kafkaRecord.offset();
    }

    /** What the handler returned when it was called last. */
    @Nullable
    Object result() {
        return result;
    }

    /** Calls the handler, with another acknowledgment in place of the container's. */
    void call(@Nullable Acknowledgment replacement) throws Exception {
        Object returned = acknowledgment == null || replacement == null
                ? handler.invoke(message, provided)
                : callWith(replacement, acknowledgment);
        if (returned != null && HandlerSignature.isAsync(returned)) {
            throw new IllegalStateException("The handler " + handler.getShortLogMessage() + " has returned a "
                    + returned.getClass().getSimpleName()
                    + ", so the id of the message would be committed before the work is done. Let the handler do its work on"
                    + " the thread that calls it, and return the result itself or nothing");
        }
        result = returned;
    }

    private @Nullable Object callWith(Acknowledgment deferred, Acknowledgment replaced) throws Exception {
        Object replacement = replaced instanceof SharedAcknowledgment shared ? shared.over(deferred) : deferred;
        @Nullable Object[] arguments = provided.clone();
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i] instanceof Acknowledgment || arguments[i] instanceof ShareAcknowledgment) {
                arguments[i] = replacement;
            }
        }
        // A handler can get it as a header, too.
        if (!(message.getHeaders() instanceof KafkaMessageHeaders headers)) {
            return handler.invoke(withAcknowledgment(replacement), arguments);
        }
        Map<String, Object> raw = headers.getRawHeaders();
        Object before = raw.replace(KafkaHeaders.ACKNOWLEDGMENT, replacement);
        try {
            return handler.invoke(message, arguments);
        } finally {
            if (before != null) {
                // The error handler of the listener is outside: it acknowledges for itself.
                raw.put(KafkaHeaders.ACKNOWLEDGMENT, before);
            }
        }
    }

    private Message<?> withAcknowledgment(Object replacement) {
        if (!message.getHeaders().containsKey(KafkaHeaders.ACKNOWLEDGMENT)) {
            return message;
        }
        Map<String, Object> headers = new HashMap<>(message.getHeaders());
        headers.put(KafkaHeaders.ACKNOWLEDGMENT, replacement);
        return new GenericMessage<>(message.getPayload(), new MessageHeaders(headers));
    }

    private static ConsumerRecord<?, ?> find(Class<ConsumerRecord> type, @Nullable Object[] provided) {
        ConsumerRecord<?, ?> found = last(type, provided);
        if (found == null) {
            throw new IllegalStateException("The listener adapter provides no ConsumerRecord. Only handlers of single"
                    + " records are supported");
        }
        return found;
    }

    // From the end, since a payload may come first.
    private static <T> @Nullable T last(Class<T> type, @Nullable Object[] provided) {
        for (int i = provided.length - 1; i >= 0; i--) {
            if (type.isInstance(provided[i])) {
                return type.cast(provided[i]);
            }
        }
        return null;
    }
}
