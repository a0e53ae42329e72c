/** {@link io.inboxkit.IdempotentConsumer} on {@code @RabbitMQListener} methods. */
@NullMarked
package io.inboxkit.rabbitmq;

import org.jspecify.annotations.NullMarked;
