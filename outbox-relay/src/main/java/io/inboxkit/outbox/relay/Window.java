package io.inboxkit.outbox.relay;

import io.inboxkit.outbox.BrokerPublisher;
import io.inboxkit.outbox.Destination;
import io.inboxkit.outbox.OwnedPartition;
import io.inboxkit.outbox.WaitingMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The messages that a worker has in memory, by lane and destination. A destination, and a lane, get a part of the room only, so
 * that none keeps the others out. Used by one worker only.
 */
final class Window {

    private static final long MOST_BYTES = 32L << 20;
    private static final int SHARE_OF_DESTINATION = 4;
    private static final int SHARE_OF_LANE = 16;

    private final int capacity;
    private final Function<String, BrokerPublisher> publishers;
    private final Map<Long, Entry> entries = new HashMap<>();
    private final Map<Long, Lane> lanes = new HashMap<>();
    private final Map<Destination, Target> targets = new HashMap<>();
    private final Set<Target> withReady = new LinkedHashSet<>();
    private long bytes;

    Window(int capacity, Function<String, BrokerPublisher> publishers) {
        this.capacity = capacity;
        this.publishers = publishers;
    }

    boolean isKnown(long seq) {
        return entries.containsKey(seq);
    }

    boolean hasRoomFor(int size) {
        return entries.isEmpty() || (entries.size() < capacity && bytes + size <= MOST_BYTES);
    }

    /** Whether it is worth while to read: a page that is thrown away for the most part costs as much as a whole one. */
    boolean hasRoomForMany() {
        return entries.size() <= capacity - capacity / 8 && bytes <= MOST_BYTES / 2;
    }

    Target target(Destination destination) {
        return targets.computeIfAbsent(destination, key -> new Target(key, publishers.apply(key.scheme())));
    }

    @Nullable
    Target knownTarget(Destination destination) {
        return targets.get(destination);
    }

    List<Target> faultyTargets() {
        return targets.values().stream().filter(Target::isFaulty).toList();
    }

    /** While it is not known whether a destination works, one message is enough to find out. */
    boolean hasRoom(Target target, int size) {
        if (target.entries == 0) {
            return true;
        }
        return !target.isFaulty()
                && target.entries < capacity / SHARE_OF_DESTINATION
                && target.bytes + size <= MOST_BYTES / SHARE_OF_DESTINATION;
    }

    boolean hasRoom(@Nullable Lane lane, int size) {
        if (lane == null || lane.entries.isEmpty()) {
            return true;
        }
        return !lane.failing
                && lane.entries.size() < Math.max(2, capacity / SHARE_OF_LANE)
                && lane.bytes + size <= MOST_BYTES / SHARE_OF_LANE;
    }

    /** Whether so much is gone that it is worth while to read more. */
    boolean isLow(Target target) {
        return target.entries <= capacity / SHARE_OF_DESTINATION / 2
                && target.bytes <= MOST_BYTES / SHARE_OF_DESTINATION / 2;
    }

    boolean isLow(@Nullable Lane lane) {
        return lane == null
                || (!lane.failing
                        && lane.entries.size() <= capacity / SHARE_OF_LANE / 2
                        && lane.bytes <= MOST_BYTES / SHARE_OF_LANE / 2);
    }

    @Nullable
    Lane lane(@Nullable Long number) {
        return number == null ? null : lanes.get(number);
    }

    void add(WaitingMessage message, OwnedPartition partition, Target target) {
        Long number = message.lane();
        Lane lane =
                number == null ? new Lane(null, target) : lanes.computeIfAbsent(number, key -> new Lane(key, target));
        Entry entry = new Entry(message, partition, lane);
        entries.put(entry.seq(), entry);
        bytes += entry.size;
        lane.entries.add(entry);
        lane.bytes += entry.size;
        target.entries++;
        target.bytes += entry.size;
        makeReady(lane);
    }

    /** The first message of the lane may be sent, unless it is under way or waits. */
    void makeReady(Lane lane) {
        if (!lane.underWay && !lane.queued && !lane.entries.isEmpty()) {
            lane.queued = true;
            lane.target.ready.add(lane);
            withReady.add(lane.target);
        }
    }

    /** The destinations with messages to be sent; what is changed meanwhile comes in the next list. */
    List<Target> targetsWithReady() {
        return withReady.isEmpty() ? List.of() : List.copyOf(withReady);
    }

    Lane takeReady(Target target) {
        Lane lane = target.ready.remove();
        lane.queued = false;
        if (target.ready.isEmpty()) {
            withReady.remove(target);
        }
        return lane;
    }

    /** The message is done with its lane: its successor may go, while it stays known until it is gone from the database. */
    void leaveLane(Entry entry) {
        Lane lane = entry.lane;
        lane.entries.remove(entry);
        lane.bytes -= entry.size;
        lane.target.entries--;
        lane.target.bytes -= entry.size;
        if (lane.entries.isEmpty()) {
            if (lane.queued) {
                lane.target.ready.remove(lane);
                lane.queued = false;
                if (lane.target.ready.isEmpty()) {
                    withReady.remove(lane.target);
                }
            }
            if (lane.number != null) {
                lanes.remove(lane.number, lane);
            }
        } else {
            makeReady(lane);
        }
        forgetIfIdle(lane.target);
    }

    void forgetIfIdle(Target target) {
        if (target.entries == 0 && target.underWay == 0 && !target.isFaulty()) {
            targets.remove(target.destination, target);
        }
    }

    void forget(Target target) {
        targets.remove(target.destination, target);
    }

    /** The message is gone from the database, or shall be read again. */
    void forget(Entry entry) {
        if (entries.remove(entry.seq(), entry)) {
            bytes -= entry.size;
        }
    }

    /** Forgets messages that are not under way, so that they can be read again; gives their lowest number. */
    long drop(Predicate<Entry> condition) {
        List<Entry> dropped = new ArrayList<>();
        for (Entry entry : entries.values()) {
            if (!entry.isSettled() && !entry.isUnderWay() && condition.test(entry)) {
                dropped.add(entry);
            }
        }
        long lowest = Long.MAX_VALUE;
        for (Entry entry : dropped) {
            if (entry.lane.target.probe == entry) {
                entry.lane.target.probe = null;
            }
            leaveLane(entry);
            forget(entry);
            lowest = Math.min(lowest, entry.seq());
        }
        return lowest;
    }

    /** As {@link #drop}, within a lane: what is behind the first message. */
    long dropSuccessors(Lane lane) {
        long lowest = Long.MAX_VALUE;
        while (lane.entries.size() > 1) {
            Entry last = lane.entries.getLast();
            leaveLane(last);
            forget(last);
            lowest = last.seq();
        }
        return lowest;
    }

    /** Whether anything of the partition is under way or not yet settled in the database. */
    boolean holds(int partition) {
        return entries.values().stream().anyMatch(entry -> entry.waiting.partition() == partition);
    }
}
