package io.inboxkit.rabbitmq;

import java.util.Collection;
import java.util.Date;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.batch.BatchingStrategy;
import org.springframework.amqp.rabbit.batch.MessageBatch;

/**
 * Numbers the messages of a producer's batch where the container takes it apart. It is taken apart the same way in every
 * delivery, so the number is the same each time.
 */
record FragmentNumbering(BatchingStrategy delegate) implements BatchingStrategy {

    @Override
    public boolean canDebatch(MessageProperties properties) {
        return delegate.canDebatch(properties);
    }

    @Override
    public void deBatch(Message message, Consumer<Message> fragmentConsumer) {
        AtomicInteger number = new AtomicInteger();
        delegate.deBatch(
                message,
                fragment -> fragmentConsumer.accept(new FragmentMessage(
                        fragment.getBody(), fragment.getMessageProperties(), number.incrementAndGet())));
    }

    @Override
    public @Nullable MessageBatch addToBatch(@Nullable String exchange, @Nullable String routingKey, Message message) {
        return delegate.addToBatch(exchange, routingKey, message);
    }

    @Override
    public @Nullable Date nextRelease() {
        return delegate.nextRelease();
    }

    @Override
    public Collection<MessageBatch> releaseBatches() {
        return delegate.releaseBatches();
    }
}
