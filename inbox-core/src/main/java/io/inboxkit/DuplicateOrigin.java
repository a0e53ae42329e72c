package io.inboxkit;

import org.jspecify.annotations.Nullable;

/** Why a message came a second time, in the words of the metric {@code inbox.duplicates}. */
public enum DuplicateOrigin {
    /** The broker delivered the same position again: a restart, a rebalance, a rewound group, a lock that ran out. */
    REDELIVERY,
    /** The same id stands at another position: the producer, or whatever copies between topics, has sent it again. */
    PRODUCER,
    /** The delivery is a copy from a retry or dead-letter topic. */
    DEAD_LETTER,
    /** The delivery is part of a replay. */
    REPLAY,
    /** The positions that would tell are not known. */
    UNKNOWN;

    /**
     * The only place that decides why a message is a duplicate. The route comes first: what was replayed, or taken from dead
     * letters, came again for that reason, whatever its position is.
     *
     * @param message the delivery that is skipped
     * @param first where the delivery stood that was processed, or {@code null} if that is not known
     */
    public static DuplicateOrigin of(InboxMessage message, @Nullable Position first) {
        if (message.route().isDeadLetter()) {
            return DEAD_LETTER;
        }
        if (message.route().isReplay()) {
            return REPLAY;
        }
        Position position = message.position();
        if (position == null || first == null) {
            return UNKNOWN;
        }
        return position.equals(first) ? REDELIVERY : PRODUCER;
    }
}
