package io.inboxkit.rabbitmq;

import com.rabbitmq.client.Channel;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.batch.BatchingStrategy;
import org.springframework.amqp.rabbit.listener.MethodRabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.MethodRabbitListenerEndpoint.AdapterProvider;
import org.springframework.amqp.rabbit.listener.adapter.BatchMessagingMessageListenerAdapter;
import org.springframework.amqp.rabbit.listener.api.RabbitListenerErrorHandler;
import org.springframework.amqp.support.converter.MessageConversionException;
import org.springframework.amqp.support.converter.MessagingMessageConverterAdapter;
import org.springframework.util.ReflectionUtils;

/**
 * The framework's adapter of batch listeners, with the inbox around it. Converts each message once and before it is claimed:
 * the framework would reject one that it cannot convert, and hand on the rest of what was claimed.
 */
final class InboxBatchAdapter extends BatchMessagingMessageListenerAdapter {

    private static final ThreadLocal<Map<Message, org.springframework.messaging.Message<?>>> CONVERTED =
            ThreadLocal.withInitial(IdentityHashMap::new);

    private volatile @Nullable BatchInbox inbox;

    private InboxBatchAdapter(
            @Nullable Object bean,
            @Nullable Method method,
            boolean returnExceptions,
            @Nullable RabbitListenerErrorHandler errorHandler,
            @Nullable BatchingStrategy batchingStrategy) {
        super(bean, method, returnExceptions, errorHandler, batchingStrategy);
    }

    /** Has an endpoint take this adapter if it turns out to be a batch listener, unless it was given one of its own. */
    static void provideFor(MethodRabbitListenerEndpoint endpoint) {
        Field field = ReflectionUtils.findField(MethodRabbitListenerEndpoint.class, "adapterProvider");
        if (field == null) {
            throw new IllegalStateException("This version of spring-rabbit is not supported: the adapter provider of a"
                    + " listener cannot be read. Use the spring-rabbit version of a supported Spring Boot");
        }
        ReflectionUtils.makeAccessible(field);
        AdapterProvider original = (AdapterProvider) Objects.requireNonNull(ReflectionUtils.getField(field, endpoint));
        if (original.getClass().getEnclosingClass() == MethodRabbitListenerEndpoint.class) {
            endpoint.setAdapterProvider((batch, bean, method, returnExceptions, errorHandler, strategy) -> batch
                    ? new InboxBatchAdapter(bean, method, returnExceptions, errorHandler, strategy)
                    : original.getAdapter(false, bean, method, returnExceptions, errorHandler, strategy));
        }
    }

    void connect(BatchInbox batchInbox) {
        inbox = batchInbox;
    }

    @Override
    public void onMessageBatch(List<Message> messages, @Nullable Channel channel) {
        BatchInbox connected = inbox;
        if (connected == null || channel == null) {
            super.onMessageBatch(messages, channel);
            return;
        }
        try {
            connected.deliver(messages, channel, this);
        } finally {
            CONVERTED.remove();
        }
    }

    /** The part of the framework: converts what is not converted yet, and calls the handler. */
    void handOn(List<Message> messages, Channel channel) {
        super.onMessageBatch(messages, channel);
    }

    /**
     * The payload of a message; for a handler that takes the AMQP messages themselves, the body.
     *
     * @throws MessageConversionException if it cannot be converted
     */
    Object payloadOf(Message message) {
        if (getMessagingMessageConverter() instanceof MessagingMessageConverterAdapter converter
                && converter.isAmqpMessageList()) {
            return message.getBody();
        }
        org.springframework.messaging.Message<?> converted = toMessagingMessage(message);
        CONVERTED.get().put(message, converted);
        return converted.getPayload();
    }

    @Override
    protected org.springframework.messaging.Message<?> toMessagingMessage(Message amqpMessage) {
        org.springframework.messaging.Message<?> converted = CONVERTED.get().get(amqpMessage);
        return converted != null ? converted : super.toMessagingMessage(amqpMessage);
    }
}
