package io.inboxkit.jdbc;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a run reads of one partition and how far it has come, as it is stored.
 *
 * @param topicId the id of the topic when the run was started, or {@code null} if the broker did not tell
 * @param from the first offset
 * @param end the offset after the last one
 * @param next the offset at which it goes on
 * @param counts what an audit found
 */
public record ReplayPartitionRow(
        String topic, int partition, @Nullable UUID topicId, long from, long end, long next, Counts counts) {

    /**
     * What an audit knows of the records of a partition.
     *
     * @param processed how many were processed
     * @param open how many have failed or were refused, and wait to be processed
     * @param missing how many are unknown
     * @param belowFloor how many are unknown and older than the memory of their consumer
     * @param withoutId how many have no id that could be looked for
     * @param foreign how many are dead letters of another consumer; also told by a replay of them
     */
    public record Counts(long processed, long open, long missing, long belowFloor, long withoutId, long foreign) {

        /** Nothing yet. */
        public static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0);
    }
}
