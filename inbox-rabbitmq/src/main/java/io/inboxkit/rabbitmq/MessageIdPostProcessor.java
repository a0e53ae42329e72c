package io.inboxkit.rabbitmq;

import java.util.UUID;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessagePostProcessor;
import org.springframework.amqp.core.MessageProperties;

/**
 * Gives messages that are sent without an id a random one, in the property {@code message_id}. An id that is there stays.
 *
 * <p>It is made per call of the template, so it recognises what the broker delivers twice, but not what the application sends
 * twice: an id that is made where the business decides is better. To be added by
 * {@code RabbitTemplate.addBeforePublishPostProcessors}. Thread-safe.
 */
public final class MessageIdPostProcessor implements MessagePostProcessor {

    @Override
    public Message postProcessMessage(Message message) {
        MessageProperties properties = message.getMessageProperties();
        String id = properties.getMessageId();
        if (id == null || id.isBlank()) {
            properties.setMessageId(UUID.randomUUID().toString());
        }
        return message;
    }
}
