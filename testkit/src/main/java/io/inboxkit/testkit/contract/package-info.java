/** What every adapter must show, in terms of messages sent and rows found. */
@NullMarked
package io.inboxkit.testkit.contract;

import org.jspecify.annotations.NullMarked;
