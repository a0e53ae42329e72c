/** What crashes, rebalances, outages and failing handlers leave of messages and their effects. */
@NullMarked
package io.inboxkit.kafka.faults;

import org.jspecify.annotations.NullMarked;
