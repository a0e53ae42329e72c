/** The auto-configuration of the inbox and its properties. */
@NullMarked
package io.inboxkit.autoconfigure;

import org.jspecify.annotations.NullMarked;
