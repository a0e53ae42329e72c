package io.inboxkit.jdbc;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A replay as it is stored.
 *
 * @param id its number in the database; 0 before it is stored
 * @param name what operators call it, unique in its database
 * @param listener the id of the listener
 * @param mode what happens to its records
 * @param deadLetters whether its topics are dead-letter topics of the listener
 * @param onFailure whether it goes on behind a record that failed
 * @param rate the highest number of records per second, or {@code null} for no limit
 * @param state whether it runs, was stopped, has failed or is complete
 * @param owned whether somebody works on it
 * @param reason why it was stopped or has failed, or {@code null}
 * @param startedAt when it was stored
 * @param endedAt when it ended, or {@code null}
 * @param counts what became of its records
 */
public record ReplayRow(
        int id,
        String name,
        String listener,
        String mode,
        boolean deadLetters,
        String onFailure,
        @Nullable Integer rate,
        String state,
        boolean owned,
        @Nullable String reason,
        Instant startedAt,
        @Nullable Instant endedAt,
        Counts counts) {

    /**
     * What became of the records of a run. After a crash, what was read again is counted again: as skipped.
     *
     * @param handled how many were handled and committed
     * @param skipped how many were known as processed, or handled in this run already
     * @param stale how many are older than the memory of their consumer and were skipped
     * @param failed how many failed for good
     */
    public record Counts(long handled, long skipped, long stale, long failed) {

        /** Nothing yet. */
        public static final Counts NONE = new Counts(0, 0, 0, 0);
    }
}
