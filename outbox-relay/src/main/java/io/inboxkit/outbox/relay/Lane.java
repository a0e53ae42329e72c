package io.inboxkit.outbox.relay;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one destination and key that are in memory, in their order; or a single one without a key. At most the first
 * is under way. Used by one worker only.
 */
final class Lane {

    /** {@code null} without a key. */
    final @Nullable Long number;

    final Target target;
    final Deque<Entry> entries = new ArrayDeque<>();
    int bytes;

    /** The first message is under way, or what became of it is not yet known to the database. */
    boolean underWay;

    /** It stands in the queue of its destination. */
    boolean queued;

    /** The first message was at fault and has not gone through since. */
    boolean failing;

    Lane(@Nullable Long number, Target target) {
        this.number = number;
        this.target = target;
    }
}
