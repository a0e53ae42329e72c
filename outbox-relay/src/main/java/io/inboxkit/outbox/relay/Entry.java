package io.inboxkit.outbox.relay;

import io.inboxkit.outbox.OwnedPartition;
import io.inboxkit.outbox.WaitingMessage;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A message in memory. Used by one worker only. */
final class Entry {

    final WaitingMessage waiting;
    final OwnedPartition owned;
    final Lane lane;
    final int size;
    private final long readAt = System.nanoTime();
    int attempts;
    long sentAt;

    /** What was wrong at the last attempt. */
    @Nullable
    String error;

    /** Since when its destination has not taken it, or {@code null}. */
    @Nullable
    Long refusedSince;

    private boolean settled;

    Entry(WaitingMessage waiting, OwnedPartition owned, Lane lane) {
        this.waiting = waiting;
        this.owned = owned;
        this.lane = lane;
        this.size = waiting.message().size();
        this.attempts = waiting.attempts();
    }

    long seq() {
        return waiting.seq();
    }

    Duration age() {
        return waiting.age().plusNanos(System.nanoTime() - readAt);
    }

    boolean isUnderWay() {
        return lane.underWay && lane.entries.peek() == this;
    }

    /** It was confirmed: it leaves its lane, and waits to be removed from the database. */
    void settle() {
        settled = true;
    }

    boolean isSettled() {
        return settled;
    }
}
