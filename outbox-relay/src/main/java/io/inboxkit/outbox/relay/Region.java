package io.inboxkit.outbox.relay;

import io.inboxkit.outbox.Destination;
import java.util.Set;

/** A part of the messages that is read apart from the rest. */
sealed interface Region {

    /** One destination and key. */
    record OfLane(long lane, int partition, Destination destination) implements Region {}

    /** One destination. */
    record OfDestination(Destination destination) implements Region {}

    /** Partitions that were taken together. */
    record OfPartitions(Set<Integer> partitions) implements Region {

        public OfPartitions {
            partitions = Set.copyOf(partitions);
        }
    }
}
