/** Publishing to Kafka. */
@NullMarked
package io.inboxkit.outbox.kafka;

import org.jspecify.annotations.NullMarked;
