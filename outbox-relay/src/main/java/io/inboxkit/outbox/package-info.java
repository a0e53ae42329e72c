/** The outbox: messages that are committed with the business data and published afterwards. */
@NullMarked
package io.inboxkit.outbox;

import org.jspecify.annotations.NullMarked;
