/** The auto-configuration of the inbox for RabbitMQ listeners. */
@NullMarked
package io.inboxkit.rabbitmq.autoconfigure;

import org.jspecify.annotations.NullMarked;
