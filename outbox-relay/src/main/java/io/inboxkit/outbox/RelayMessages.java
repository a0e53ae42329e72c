package io.inboxkit.outbox;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The messages of an outbox, as a relay needs them. Every call is a transaction of its own. Thread-safe; throws
 * {@link org.springframework.dao.DataAccessException} when the database does not answer.
 */
public interface RelayMessages {

    /**
     * What became visible between two moments.
     *
     * @param snapshot the later moment
     * @param start all that became visible has a higher number than this; {@link Long#MAX_VALUE} if nothing has
     */
    record Pass(String snapshot, long start) {}

    /**
     * Which messages to read.
     *
     * @param after only those with a higher number
     * @param partitions only those of these partitions
     * @param visibleIn only those that were committed in this snapshot
     * @param notIn only those that were not committed in this snapshot; {@code null} for all
     * @param lane only those of this lane; {@code null} for all
     * @param destination only those to this destination; {@code null} for all
     * @param withoutLanes none of these lanes
     * @param withoutDestinations none to these destinations
     * @param limit how many at most
     */
    record Query(
            long after,
            Collection<Integer> partitions,
            String visibleIn,
            @Nullable String notIn,
            @Nullable Long lane,
            @Nullable Destination destination,
            Collection<Long> withoutLanes,
            Collection<Destination> withoutDestinations,
            int limit) {}

    /**
     * A message that was at fault.
     *
     * @param seq its number
     * @param owned by what right it is changed
     * @param attempts how often it was at fault
     * @param error what was wrong
     */
    record Fault(long seq, OwnedPartition owned, int attempts, String error) {}

    /**
     * Takes a snapshot, and tells where to look for what has become visible since the one before.
     *
     * @param previous the snapshot before; {@code null} if there was none, and nothing shall be looked for
     */
    Pass begin(@Nullable String previous);

    /**
     * Messages that were read.
     *
     * @param messages in the order of their numbers
     * @param isLast whether there are no more
     */
    record Page(List<WaitingMessage> messages, boolean isLast) {}

    /** Reads messages, as many as are asked for, or fewer if they are large. */
    Page read(Query query);

    /** Removes messages that were published, by whomever. */
    void published(Collection<Long> seqs);

    /**
     * Counts attempts, where the partition is still owned.
     *
     * @return the numbers of the messages for which it was
     */
    Set<Long> failed(Collection<Fault> faults);

    /**
     * Moves messages to the parked ones, where the partition is still owned.
     *
     * @return the numbers of the messages that were moved
     */
    Set<Long> park(Collection<Fault> faults);

    /** The lanes with parked messages, by partition. */
    Map<Integer, Set<Long>> lanesWithParked(Collection<Integer> partitions);
}
