package io.inboxkit.rabbitmq;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;

/** One of the messages that a producer has put into one AMQP message; they share their properties. */
final class FragmentMessage extends Message {

    private static final long serialVersionUID = 1L;

    private final int number;

    /**
     * @param number its number within the batch, from 1
     */
    FragmentMessage(byte[] body, MessageProperties properties, int number) {
        super(body, properties);
        this.number = number;
    }

    int number() {
        return number;
    }

    @Override
    public boolean equals(Object other) {
        return super.equals(other) && other instanceof FragmentMessage fragment && fragment.number == number;
    }

    @Override
    public int hashCode() {
        return 31 * super.hashCode() + number;
    }
}
