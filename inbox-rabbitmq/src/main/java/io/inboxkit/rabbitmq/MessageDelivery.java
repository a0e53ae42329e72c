package io.inboxkit.rabbitmq;

import com.rabbitmq.client.Channel;
import io.inboxkit.HandlerSignature;
import io.inboxkit.InboxAttempt;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;

/** One message on its way into the handler: what the adapter provides for the call. */
final class MessageDelivery implements ReceivedMessage {

    private final InvocableHandlerMethod handler;
    private final Message<?> message;
    private @Nullable Object[] provided;
    private final org.springframework.amqp.core.Message amqpMessage;
    private final Channel channel;
    private @Nullable Object result;

    MessageDelivery(InvocableHandlerMethod handler, Message<?> message, @Nullable Object[] provided) {
        this.handler = handler;
        this.message = message;
        this.provided = provided;
        this.amqpMessage = last(org.springframework.amqp.core.Message.class, provided);
        this.channel = last(Channel.class, provided);
    }

    @Override
    public org.springframework.amqp.core.Message amqpMessage() {
        return amqpMessage;
    }

    /** The container's own channel. */
    Channel channel() {
        return channel;
    }

    @Override
    public Object payload() {
        return message.getPayload();
    }

    /** Which delivery of the message this is, from 1 on, where the queue counts them; otherwise 1. */
    int number() {
        Object before = properties().getHeader("x-delivery-count");
        return before instanceof Number count ? Math.max(1, (int) Math.min(Short.MAX_VALUE, count.longValue() + 1)) : 1;
    }

    /** Hands the handler its attempt, too. */
    void provide(InboxAttempt attempt) {
        // Each attempt of a delivery that was held brings a new one.
        boolean first = !(provided[provided.length - 1] instanceof InboxAttempt);
        provided = first ? Arrays.copyOf(provided, provided.length + 1) : provided;
        provided[provided.length - 1] = attempt;
    }

    /** What the handler returned when it was called last. */
    @Nullable
    Object result() {
        return result;
    }

    /** Calls the handler, with another channel in place of the container's. */
    void call(Channel replacement) throws Exception {
        @Nullable Object[] arguments = provided.clone();
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i] == channel) {
                arguments[i] = replacement;
            }
        }
        Object returned = handler.invoke(message, arguments);
        refusePromise(handler, returned);
        result = returned;
    }

    static void refusePromise(InvocableHandlerMethod handler, @Nullable Object returned) {
        if (returned != null && HandlerSignature.isAsync(returned)) {
            throw new IllegalStateException("The handler " + handler.getShortLogMessage() + " has returned a "
                    + returned.getClass().getSimpleName()
                    + ", so the id of the message would be committed before the work is done. Let the handler do its work on"
                    + " the thread that calls it, and return the result itself or nothing");
        }
    }

    // From the end, since a payload may come first.
    static <T> @Nullable T find(Class<T> type, @Nullable Object[] provided) {
        for (int i = provided.length - 1; i >= 0; i--) {
            if (type.isInstance(provided[i])) {
                return type.cast(provided[i]);
            }
        }
        return null;
    }

    private static <T> T last(Class<T> type, @Nullable Object[] provided) {
        T found = find(type, provided);
        if (found == null) {
            throw new IllegalStateException("The listener adapter provides no " + type.getSimpleName());
        }
        return found;
    }
}
