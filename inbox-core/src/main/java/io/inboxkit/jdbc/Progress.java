package io.inboxkit.jdbc;

import io.inboxkit.TrackedPosition;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * How far a consumer has come in a partition. In Java the same order as in {@link PositionSql}.
 *
 * @param nextOffset the offset after the last message
 * @param leaderEpoch the leader epoch of the last message, or {@code null} if its log does not tell it
 */
record Progress(long nextOffset, @Nullable Integer leaderEpoch) {

    static final Comparator<Progress> ORDER = Progress::compare;

    /** The progress of a consumer that has processed this message. */
    static Progress after(TrackedPosition message) {
        int epoch = message.leaderEpoch();
        return new Progress(message.position().offset() + 1, epoch == TrackedPosition.UNKNOWN_EPOCH ? null : epoch);
    }

    /** Whether this is further than another one, by a message of a later leader or else by a higher offset. */
    boolean isBeyond(Progress other) {
        return ORDER.compare(this, other) > 0;
    }

    /** Whether this is further than another one although its offset is not: the log between them was truncated. */
    boolean isAfterTruncation(Progress other) {
        return isBeyond(other) && nextOffset <= other.nextOffset;
    }

    private static int compare(Progress one, Progress other) {
        int byEpoch = one.leaderEpoch == null || other.leaderEpoch == null
                ? 0
                : Integer.compare(one.leaderEpoch, other.leaderEpoch);
        return byEpoch != 0 ? byEpoch : Long.compare(one.nextOffset, other.nextOffset);
    }
}
