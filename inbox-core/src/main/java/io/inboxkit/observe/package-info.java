/** What operators see: metrics and health. */
@NullMarked
package io.inboxkit.observe;

import org.jspecify.annotations.NullMarked;
