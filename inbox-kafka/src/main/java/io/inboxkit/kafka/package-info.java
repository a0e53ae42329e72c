/** {@link io.inboxkit.IdempotentConsumer} on {@code @KafkaListener} methods. */
@NullMarked
package io.inboxkit.kafka;

import org.jspecify.annotations.NullMarked;
