/** What operators see: traces. */
@NullMarked
package io.inboxkit.outbox.observe;

import org.jspecify.annotations.NullMarked;
