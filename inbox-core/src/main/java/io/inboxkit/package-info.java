/**
 * What users of the inbox see: the annotation, the {@link io.inboxkit.Inbox} itself, its messages, outcomes and
 * exceptions.
 */
@NullMarked
package io.inboxkit;

import org.jspecify.annotations.NullMarked;
