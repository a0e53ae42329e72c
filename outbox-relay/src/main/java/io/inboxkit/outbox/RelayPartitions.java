package io.inboxkit.outbox;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * Which relay owns which partition, by rows in the database and its clock. Every call is a transaction of its own.
 * Thread-safe; throws {@link org.springframework.dao.DataAccessException} when the database does not answer.
 */
public interface RelayPartitions {

    /**
     * How the partitions are shared out.
     *
     * @param owned those of the relay that asks
     * @param relays how many relays live
     * @param total how many partitions there are
     * @param free how many have no living owner
     */
    record Shares(List<OwnedPartition> owned, int relays, int total, int free) {}

    /** Makes a relay known, until its lease ends. */
    void join(String relay, Duration lease);

    /**
     * Prolongs the lease of a relay.
     *
     * @return whether it had not ended; afterwards the relay has lost what it owned
     */
    boolean renew(String relay, Duration lease);

    /** How the partitions are shared out now. */
    Shares shares(String relay);

    /** Takes partitions that have no living owner. */
    List<OwnedPartition> take(String relay, int most);

    /** Gives partitions up. */
    void release(Collection<OwnedPartition> partitions);

    /** Gives all partitions up, and forgets the relay. */
    void leave(String relay);
}
