/** What operators see of Kafka listeners and do to them. */
@NullMarked
package io.inboxkit.kafka.observe;

import org.jspecify.annotations.NullMarked;
