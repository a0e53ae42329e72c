/** The auto-configuration of the outbox and its properties. */
@NullMarked
package io.inboxkit.outbox.autoconfigure;

import org.jspecify.annotations.NullMarked;
