package io.inboxkit;

import java.util.UUID;

/**
 * Where a message stands in the log that it came from: the same position is the same message, however often it is
 * delivered.
 *
 * @param source the id of the log; for Kafka the topic id, which a topic that is deleted and created again changes
 * @param partition the partition, 0 or more
 * @param offset the offset within the partition, 0 or more
 */
public record Position(UUID source, int partition, long offset) {

    public Position {
        if (partition < 0 || offset < 0) {
            throw new IllegalArgumentException(
                    "A position needs partition and offset of 0 or more, but got partition %d, offset %d"
                            .formatted(partition, offset));
        }
    }

    /** Log, partition and offset, such as {@code 0196f3c2-…-0@42}. */
    @Override
    public String toString() {
        return source + "-" + partition + "@" + offset;
    }
}
