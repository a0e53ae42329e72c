package io.inboxkit.jdbc;

import io.inboxkit.InboxMessage;
import io.inboxkit.Position;
import io.inboxkit.TrackedPosition;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** A tracked position of a log that is always what it was. */
record TestPosition(Position position, int leaderEpoch) implements TrackedPosition {

    static final UUID TOPIC = UUID.fromString("5e1c7a6e-0000-4000-8000-000000000001");

    static InboxMessage message(String consumer, long offset) {
        return message(consumer, offset, 0);
    }

    static InboxMessage message(String consumer, long offset, int leaderEpoch) {
        return InboxMessage.tracked(consumer, new TestPosition(new Position(TOPIC, 0, offset), leaderEpoch));
    }

    /** Messages from one offset to before another one. */
    static List<InboxMessage> messages(String consumer, int partition, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(offset ->
                        InboxMessage.tracked(consumer, new TestPosition(new Position(TOPIC, partition, offset), 0)))
                .toList();
    }

    @Override
    public void confirm() {
        // Nobody makes this log anew.
    }
}
