package io.inboxkit.kafka;

import io.inboxkit.jdbc.ReplayFailureRow;
import io.inboxkit.jdbc.ReplayPartitionRow;
import io.inboxkit.jdbc.ReplayRow;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A replay: what it is, how far it has come and what became of its records. A picture of one moment, noted about once a
 * second.
 *
 * @param name what it is called
 * @param listener the id of the listener that handles its records
 * @param mode what happens to its records
 * @param state where it is in its life
 * @param reason why it was stopped or has failed, or {@code null}
 * @param startedAt when it was started, by the clock of the database
 * @param endedAt when it ended, or {@code null}
 * @param handled how many records were handled and committed
 * @param skipped how many were processed before and skipped; after a crash, also those that were read again
 * @param stale how many were skipped as older than the memory of their consumer
 * @param failed how many failed for good
 * @param partitions what it reads
 * @param failures the first of those that failed, by position
 */
public record ReplayRun(
        String name,
        String listener,
        ReplayMode mode,
        ReplayState state,
        @Nullable String reason,
        Instant startedAt,
        @Nullable Instant endedAt,
        long handled,
        long skipped,
        long stale,
        long failed,
        List<Partition> partitions,
        List<Failure> failures) {

    /** How many of the records that failed are shown. */
    static final int MOST_FAILURES = 100;

    static ReplayRun of(ReplayRow run, List<ReplayPartitionRow> partitions, List<ReplayFailureRow> failures) {
        return new ReplayRun(
                run.name(),
                run.listener(),
                ReplayMode.valueOf(run.mode()),
                ReplayState.valueOf(run.state()),
                run.reason(),
                run.startedAt(),
                run.endedAt(),
                run.counts().handled(),
                run.counts().skipped(),
                run.counts().stale(),
                run.counts().failed(),
                partitions.stream().map(Partition::of).toList(),
                failures.stream().map(Failure::of).toList());
    }

    /** What part of the range is settled, from 0 to 1. */
    public double progress() {
        long range = 0;
        long done = 0;
        for (Partition partition : partitions) {
            range += partition.end() - partition.from();
            done += Math.min(partition.next(), partition.end()) - partition.from();
        }
        return range == 0 ? 1 : (double) done / range;
    }

    /**
     * What a replay reads of one partition, and what an audit has found there.
     *
     * @param from the first offset
     * @param end the offset after the last one
     * @param next the offset at which it goes on
     * @param processed how many records were processed
     * @param open how many have failed or were refused, and wait to be processed
     * @param missing how many are unknown: never processed, or purged
     * @param belowFloor how many are unknown and older than the memory of their consumer, so that they count as processed
     * @param withoutId how many have no id that could be looked for
     * @param foreign how many were left out as dead letters of another consumer
     */
    public record Partition(
            String topic,
            int partition,
            long from,
            long end,
            long next,
            long processed,
            long open,
            long missing,
            long belowFloor,
            long withoutId,
            long foreign) {

        private static Partition of(ReplayPartitionRow row) {
            ReplayPartitionRow.Counts counts = row.counts();
            return new Partition(
                    row.topic(),
                    row.partition(),
                    row.from(),
                    row.end(),
                    row.next(),
                    counts.processed(),
                    counts.open(),
                    counts.missing(),
                    counts.belowFloor(),
                    counts.withoutId(),
                    counts.foreign());
        }
    }

    /**
     * A record that failed for good.
     *
     * @param reason why; without anything of its payload
     */
    public record Failure(String topic, int partition, long offset, String reason) {

        private static Failure of(ReplayFailureRow row) {
            return new Failure(row.topic(), row.partition(), row.offset(), row.reason());
        }
    }
}
