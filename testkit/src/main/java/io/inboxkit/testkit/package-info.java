/**
 * Real services, faults and checks for the tests of all modules; the demo uses the embedded services too.
 *
 * <p>Services are found in this order: an address from the environment, a container where a Docker engine answers, an
 * embedded one (for RabbitMQ a private node where {@code rabbitmq-server} is installed). {@code INBOX_TEST_SERVICES} ({@code testcontainers} or {@code embedded}) picks one of the last two and
 * makes a missing one an error. Every setting of this package is an environment variable or a system property of the
 * same name.
 */
@NullMarked
package io.inboxkit.testkit;

import org.jspecify.annotations.NullMarked;
