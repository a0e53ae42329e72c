/** The relay: who owns what, what is read in which order, what is under way. */
@NullMarked
package io.inboxkit.outbox.relay;

import org.jspecify.annotations.NullMarked;
