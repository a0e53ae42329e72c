package io.inboxkit.outbox.relay;

import io.inboxkit.outbox.Destination;
import io.inboxkit.outbox.OwnedPartition;
import io.inboxkit.outbox.RelayMessages;
import io.inboxkit.outbox.RelayMessages.Page;
import io.inboxkit.outbox.RelayMessages.Pass;
import io.inboxkit.outbox.RelayMessages.Query;
import io.inboxkit.outbox.WaitingMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads the messages of the partitions of one worker, each once and in an order that keeps that of serialised transactions.
 *
 * <p>It goes from snapshot to snapshot: a pass reads what is visible in the later one and was not in the earlier one, in the order
 * of the numbers. If a message is visible in a snapshot, so is every message that was committed before its transaction wrote it; so
 * whatever the transactions in between did, and however late a lower number becomes visible, no message comes before one that it
 * follows. What is removed or waits behind the pass is not read again.
 *
 * <p>A region that cannot take messages now is set aside: the pass leaves it out, and notes from where on. Later it is read by
 * itself, until it has caught up with the pass. Used by one worker only.
 */
final class Reader {

    /** More are not told to the database: then they are read and left, which is dearer but bounded. */
    private static final int MOST_LANES_LEFT_OUT = 1000;

    private final RelayMessages messages;
    private final int batchSize;
    private final Map<Integer, OwnedPartition> owned = new HashMap<>();
    private final Map<Integer, Set<Long>> held = new HashMap<>();
    private final Map<Region, Aside> asides = new LinkedHashMap<>();
    private final Deque<Region> turns = new ArrayDeque<>();

    /** The last snapshot of which everything has been read. */
    private @Nullable String finished;

    private @Nullable String snapshot;
    private long cursor;
    private boolean exhausted = true;

    Reader(RelayMessages messages, int batchSize) {
        this.messages = messages;
        this.batchSize = batchSize;
    }

    /** What becomes of a message that was read. */
    enum Admission {
        /** It is in memory. */
        TAKEN,
        /** It was left, and its region set aside. */
        LEFT,
        /** There is no room for any message. */
        NO_ROOM
    }

    /** What takes the messages. */
    interface Intake {
        Admission admit(WaitingMessage message, OwnedPartition partition);
    }

    /**
     * New partitions are read from their beginning, by a snapshot that is taken now: an older one might lack what an operator has
     * put back before its successors.
     */
    void own(Collection<OwnedPartition> partitions, Map<Integer, Set<Long>> heldLanes) {
        Set<Integer> numbers = new HashSet<>();
        for (OwnedPartition partition : partitions) {
            disown(partition.number());
            owned.put(partition.number(), partition);
            held.put(partition.number(), new HashSet<>(heldLanes.getOrDefault(partition.number(), Set.of())));
            numbers.add(partition.number());
        }
        Region region = new Region.OfPartitions(numbers);
        setAside(region, 0);
        begin();
        resume(region::equals);
    }

    void disown(int partition) {
        owned.remove(partition);
        held.remove(partition);
        asides.keySet().removeIf(region -> region instanceof Region.OfLane lane && lane.partition() == partition);
        Region around = regionOf(partition);
        if (around instanceof Region.OfPartitions several) {
            Aside aside = Objects.requireNonNull(asides.remove(around));
            Set<Integer> rest = new HashSet<>(several.partitions());
            rest.remove(partition);
            if (!rest.isEmpty()) {
                asides.put(new Region.OfPartitions(rest), aside);
            }
        }
    }

    private @Nullable Region regionOf(int partition) {
        for (Region region : asides.keySet()) {
            if (region instanceof Region.OfPartitions several
                    && several.partitions().contains(partition)) {
                return region;
            }
        }
        return null;
    }

    @Nullable
    OwnedPartition owned(int partition) {
        return owned.get(partition);
    }

    Set<Integer> partitions() {
        return owned.keySet();
    }

    /** Later messages of the lane wait for an operator. */
    void hold(int partition, long lane) {
        Set<Long> lanes = held.get(partition);
        if (lanes != null) {
            lanes.add(lane);
            asides.keySet().removeIf(region -> region instanceof Region.OfLane other && other.lane() == lane);
        }
    }

    /** The region gets no messages until it is resumed; it has been read up to, but without, this number. */
    void setAside(Region region, long seq) {
        Aside aside = asides.computeIfAbsent(region, key -> new Aside());
        aside.stopAt(exhausted ? seq : Math.min(seq, cursor + 1));
        if (region instanceof Region.OfLane lane) {
            // What is around it may be in the middle of a round, which leaves the lane out from now on.
            leaveFrom(aside, regionOf(lane.partition()));
            leaveFrom(aside, new Region.OfDestination(lane.destination()));
        } else if (region instanceof Region.OfDestination target) {
            takeOver(target.destination(), aside);
        }
    }

    private void leaveFrom(Aside aside, @Nullable Region around) {
        Aside other = around == null ? null : asides.get(around);
        if (other != null) {
            aside.leave(other.leftFrom());
        }
    }

    /** One mark is enough for a destination and its lanes. */
    private void takeOver(Destination destination, Aside aside) {
        asides.entrySet().removeIf(entry -> {
            boolean inside = entry.getKey() instanceof Region.OfLane lane
                    && lane.destination().equals(destination);
            if (inside) {
                aside.leave(entry.getValue().leftFrom());
            }
            return inside;
        });
    }

    boolean isAside(Region region) {
        return asides.containsKey(region);
    }

    /** Regions that match are read again. */
    void resume(Predicate<Region> condition) {
        String current = snapshot;
        if (current == null) {
            return;
        }
        asides.forEach((region, aside) -> {
            if (!aside.isActive() && condition.test(region)) {
                aside.begin(current);
            }
        });
    }

    /** Whether all of the last snapshot has been read, but for what was set aside. */
    boolean isExhausted() {
        return exhausted;
    }

    /** Whether there may be something to read without a new snapshot. */
    boolean hasMore() {
        return !owned.isEmpty() && (!exhausted || asides.values().stream().anyMatch(Aside::isActive));
    }

    /** Goes on to what has become visible since the last snapshot; what was not read of it yet remains to be read. */
    void begin() {
        if (owned.isEmpty()) {
            return;
        }
        Pass pass = messages.begin(snapshot);
        cursor = exhausted ? pass.start() : Math.min(cursor, pass.start());
        if (exhausted) {
            finished = snapshot;
        }
        snapshot = pass.snapshot();
        exhausted = pass.start() == Long.MAX_VALUE && exhausted;
        asides.values().forEach(aside -> {
            if (pass.start() != Long.MAX_VALUE) {
                aside.leave(pass.start() + 1);
            }
        });
    }

    /**
     * Reads once, from what was set aside and the rest in turns.
     *
     * @return whether there was room for all that was read
     */
    boolean read(Intake intake) {
        Region region = nextTurn();
        return region == null ? readRest(intake) : readAside(region, intake);
    }

    private @Nullable Region nextTurn() {
        if (turns.isEmpty()) {
            asides.forEach((region, aside) -> {
                if (aside.isActive()) {
                    turns.add(region);
                }
            });
            if (!exhausted) {
                return null;
            }
        }
        Region region = turns.poll();
        Aside aside = region == null ? null : asides.get(region);
        return aside != null && aside.isActive() ? region : null;
    }

    private boolean readRest(Intake intake) {
        String current = snapshot;
        if (current == null || exhausted) {
            return true;
        }
        List<Integer> partitions = partitionsOfTheRest();
        Page page = read(cursor, partitions, current, finished, null, null, null);
        for (WaitingMessage message : page.messages()) {
            if (admit(message, intake, null) == Admission.NO_ROOM) {
                return false;
            }
            cursor = message.seq();
        }
        exhausted = page.isLast();
        return true;
    }

    private List<Integer> partitionsOfTheRest() {
        return owned.keySet().stream()
                .filter(partition -> regionOf(partition) == null)
                .toList();
    }

    private Page read(
            long after,
            Collection<Integer> partitions,
            String visibleIn,
            @Nullable String notIn,
            @Nullable Long lane,
            @Nullable Destination destination,
            @Nullable Region region) {
        if (partitions.isEmpty()) {
            return new Page(List.of(), true);
        }
        return messages.read(new Query(
                after,
                partitions,
                visibleIn,
                notIn,
                lane,
                destination,
                lanesLeftOut(region),
                destinationsLeftOut(region),
                batchSize));
    }

    private boolean readAside(Region region, Intake intake) {
        Aside aside = Objects.requireNonNull(asides.get(region));
        Collection<Integer> partitions = List.of();
        Long lane = null;
        Destination destination = null;
        if (region instanceof Region.OfLane one) {
            partitions = owned.containsKey(one.partition()) ? List.of(one.partition()) : List.of();
            lane = one.lane();
        } else if (region instanceof Region.OfPartitions several) {
            partitions = several.partitions();
        } else if (region instanceof Region.OfDestination one) {
            partitions = partitionsOfTheRest();
            destination = one.destination();
        }
        Page page = read(aside.cursor(), partitions, aside.snapshot(), null, lane, destination, region);
        for (WaitingMessage message : page.messages()) {
            if (admit(message, intake, region) == Admission.NO_ROOM) {
                return false;
            }
            if (!aside.isActive()) {
                // It was set aside again, from this message on.
                return true;
            }
            aside.advance(message.seq());
        }
        if (page.isLast()) {
            endRound(region, aside);
        }
        return true;
    }

    private void endRound(Region region, Aside aside) {
        String current = Objects.requireNonNull(snapshot);
        if (!aside.isDone(current)) {
            aside.begin(current);
            return;
        }
        asides.remove(region);
        if (region instanceof Region.OfPartitions) {
            // The rounds of destinations have not read these partitions.
            asides.forEach((other, left) -> {
                if (other instanceof Region.OfDestination) {
                    left.leave(0);
                }
            });
        }
    }

    private Admission admit(WaitingMessage message, Intake intake, @Nullable Region from) {
        OwnedPartition partition = owned.get(message.partition());
        Long lane = message.lane();
        if (partition == null || (lane != null && isHeld(message.partition(), lane))) {
            return Admission.LEFT;
        }
        Destination destination = message.message().destination();
        Region whole = new Region.OfDestination(destination);
        // May have been set aside by a message before this one on the same page.
        if (!whole.equals(from) && isAside(whole)) {
            return left(whole, message.seq());
        }
        if (lane != null) {
            Region one = new Region.OfLane(lane, message.partition(), destination);
            if (!one.equals(from) && isAside(one)) {
                return left(one, message.seq());
            }
        }
        return intake.admit(message, partition);
    }

    private Admission left(Region region, long seq) {
        Objects.requireNonNull(asides.get(region)).leave(seq);
        return Admission.LEFT;
    }

    private boolean isHeld(int partition, long lane) {
        Set<Long> lanes = held.get(partition);
        return lanes != null && lanes.contains(lane);
    }

    private Set<Long> lanesLeftOut(@Nullable Region but) {
        Set<Long> lanes = new HashSet<>();
        held.values().forEach(lanes::addAll);
        asides.keySet().forEach(region -> {
            if (region instanceof Region.OfLane lane && !region.equals(but)) {
                lanes.add(lane.lane());
            }
        });
        return lanes.size() > MOST_LANES_LEFT_OUT ? Set.of() : lanes;
    }

    private List<Destination> destinationsLeftOut(@Nullable Region but) {
        List<Destination> destinations = new ArrayList<>();
        asides.keySet().forEach(region -> {
            if (region instanceof Region.OfDestination target && !region.equals(but)) {
                destinations.add(target.destination());
            }
        });
        return destinations;
    }
}
