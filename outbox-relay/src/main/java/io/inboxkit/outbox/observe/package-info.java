/** What operators see: metrics, health, endpoint, traces. */
@NullMarked
package io.inboxkit.outbox.observe;

import org.jspecify.annotations.NullMarked;
