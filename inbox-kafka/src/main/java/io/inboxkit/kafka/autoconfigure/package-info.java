/** The auto-configuration of the inbox for Kafka listeners. */
@NullMarked
package io.inboxkit.kafka.autoconfigure;

import org.jspecify.annotations.NullMarked;
