package io.inboxkit.outbox.relay;

import io.inboxkit.outbox.OwnedPartition;
import io.inboxkit.outbox.PublishResult;
import io.inboxkit.outbox.PublishResult.Kind;
import io.inboxkit.outbox.WaitingMessage;
import io.inboxkit.outbox.relay.Mailbox.Ended;
import io.inboxkit.outbox.relay.Reader.Admission;
import io.inboxkit.outbox.relay.Region.OfDestination;
import io.inboxkit.outbox.relay.Region.OfLane;
import io.inboxkit.outbox.relay.Region.OfPartitions;
import io.inboxkit.outbox.relay.RelaySettings.OnParked;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands messages to the brokers, of each lane one at a time, and decides what follows from what became of them. Used by one worker
 * only.
 */
final class Sending implements Reader.Intake {

    private static final int MOST_UNDER_WAY = 1000;
    private static final int MOST_BYTES_UNDER_WAY = 8 << 20;

    /** A destination may be repaired within that time; then its messages go on as if nothing had been. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private static final Logger LOG = LoggerFactory.getLogger(Sending.class);

    private final RelaySettings settings;
    private final Lease lease;
    private final Window window;
    private final Reader reader;
    private final Outcomes outcomes;
    private final Mailbox mailbox;
    private final Brokers brokers;
    private final Retries retries;
    private final ParkedLog parkedLog = new ParkedLog();
    private int underWay;

    Sending(
            RelaySettings settings,
            Lease lease,
            Window window,
            Reader reader,
            Outcomes outcomes,
            Mailbox mailbox,
            Brokers brokers) {
        this.settings = settings;
        this.lease = lease;
        this.window = window;
        this.reader = reader;
        this.outcomes = outcomes;
        this.mailbox = mailbox;
        this.brokers = brokers;
        this.retries = new Retries(settings.batchSize());
    }

    boolean isUnderWay() {
        return underWay > 0;
    }

    @Override
    public Admission admit(WaitingMessage message, OwnedPartition partition) {
        if (window.isKnown(message.seq())) {
            return Admission.TAKEN;
        }
        int size = message.message().size();
        if (!window.hasRoomFor(size)) {
            return Admission.NO_ROOM;
        }
        Target target = window.target(message.message().destination());
        if (target.isPaused(System.nanoTime()) || !window.hasRoom(target, size)) {
            reader.setAside(new OfDestination(target.destination), message.seq());
            return Admission.LEFT;
        }
        Long number = message.lane();
        if (number != null && !window.hasRoom(window.lane(number), size)) {
            reader.setAside(new OfLane(number, message.partition(), target.destination), message.seq());
            return Admission.LEFT;
        }
        window.add(message, partition, target);
        return Admission.TAKEN;
    }

    /** Has those regions read again that may take messages now. */
    void resume() {
        long now = System.nanoTime();
        reader.resume(region -> {
            if (region instanceof OfDestination whole) {
                Target target = window.knownTarget(whole.destination());
                return target == null
                        || (target.isFaulty() ? target.entries == 0 && !target.isPaused(now) : window.isLow(target));
            }
            return region instanceof OfPartitions
                    || (region instanceof OfLane one && window.isLow(window.lane(one.lane())));
        });
        for (Target target : List.copyOf(window.faultyTargets())) {
            boolean gone = target.entries == 0
                    && target.underWay == 0
                    && !target.isPaused(now)
                    && !reader.isAside(new OfDestination(target.destination));
            if (gone) {
                // Somebody else has published or discarded what it failed for.
                window.forget(target);
                brokers.outOfTrouble(target.destination);
            }
        }
    }

    /** Sends what may be sent now; gives whether anything was. */
    boolean send() {
        long now = System.nanoTime();
        for (Entry entry : retries.due(now)) {
            if (isOwned(entry)) {
                entry.lane.underWay = false;
                window.makeReady(entry.lane);
            } else {
                giveBack(entry);
            }
        }
        boolean sent = false;
        for (Target target : window.targetsWithReady()) {
            while (!target.ready.isEmpty() && !target.isPaused(now) && send(target)) {
                sent = true;
            }
        }
        return sent;
    }

    private boolean send(Target target) {
        Entry entry = Objects.requireNonNull(target.ready.element().entries.peek());
        if (!target.hasRoomFor(entry.size, MOST_BYTES_UNDER_WAY, MOST_UNDER_WAY)
                // What would still be under way at the end of the lease might arrive after its successors.
                || !lease.lastsFor(settings.sendTimeout(), entry.owned.owner())) {
            return false;
        }
        Lane lane = window.takeReady(target);
        lane.underWay = true;
        target.underWay++;
        target.bytesUnderWay += entry.size;
        underWay++;
        entry.sentAt = System.nanoTime();
        String problem = entry.waiting.problem();
        if (problem != null) {
            mailbox.put(new Ended(entry, PublishResult.messageFault(problem)));
            return true;
        }
        try {
            target.publisher.send(entry.waiting.message(), result -> mailbox.put(new Ended(entry, result)));
        } catch (RuntimeException e) {
            mailbox.put(new Ended(entry, PublishResult.messageFault("The publisher failed: " + e)));
        }
        return true;
    }

    /** A message came to its end at the broker. */
    void ended(Entry entry, PublishResult result) {
        Target target = entry.lane.target;
        underWay--;
        target.underWay--;
        target.bytesUnderWay -= entry.size;
        if (result.kind() == Kind.CONFIRMED) {
            works(target);
            entry.lane.underWay = false;
            entry.lane.failing = false;
            entry.settle();
            window.leaveLane(entry);
            outcomes.confirmed(entry);
            brokers.observer().published(target.destination, entry.age());
            return;
        }
        brokers.observer().failed(target.destination);
        if (!isOwned(entry)) {
            giveBack(entry);
            return;
        }
        String error = Objects.requireNonNullElse(result.error(), result.kind().name());
        entry.error = error;
        if (result.kind() == Kind.MESSAGE_FAULT) {
            works(target);
            entry.attempts++;
            entry.lane.failing = true;
            leaveSuccessors(entry);
            outcomes.failed(entry, error);
        } else {
            refused(entry, result.kind(), error);
        }
    }

    private boolean isOwned(Entry entry) {
        OwnedPartition now = reader.owned(entry.waiting.partition());
        return now != null && now.epoch() == entry.owned.epoch() && now.owner().equals(entry.owned.owner());
    }

    private void works(Target target) {
        if (target.isFaulty()) {
            LOG.info("The destination {} takes messages again", target.destination);
        }
        target.worked();
        target.probe = null;
        brokers.outOfTrouble(target.destination);
    }

    private void leaveSuccessors(Entry entry) {
        long next = window.dropSuccessors(entry.lane);
        Long number = entry.lane.number;
        if (number != null && next != Long.MAX_VALUE) {
            reader.setAside(new OfLane(number, entry.waiting.partition(), entry.lane.target.destination), next);
        }
    }

    /** Of all that the destination did not take, one message is kept to try it with; the others are read again later. */
    private void refused(Entry entry, Kind kind, String error) {
        Target target = entry.lane.target;
        long now = System.nanoTime();
        if (!target.isFaulty()) {
            LOG.warn("The destination {} does not take messages: {}", target.destination, error);
        }
        target.failed(now, entry.sentAt, error);
        brokers.inTrouble(target.destination, error);
        Long since = entry.refusedSince;
        if (kind == Kind.DESTINATION_FAULT && since != null && now - since > PATIENCE.toNanos()) {
            target.probe = null;
            leaveSuccessors(entry);
            outcomes.park(entry, error);
            return;
        }
        entry.refusedSince = since == null ? now : since;
        entry.lane.underWay = false;
        if (target.probe == null) {
            target.probe = entry;
        }
        Entry probe = target.probe;
        long left = window.drop(other -> other.lane.target == target && other != probe);
        reader.setAside(new OfDestination(target.destination), Math.min(left, entry.seq()));
        window.makeReady(entry.lane);
    }

    /** The attempt was counted, if the partition is still owned. */
    void counted(Entry entry, boolean owned) {
        if (!owned) {
            giveBack(entry);
        } else if (entry.attempts >= settings.maxAttempts()) {
            outcomes.park(entry, Objects.requireNonNullElse(entry.error, "at fault"));
        } else {
            retries.add(entry, System.nanoTime());
        }
    }

    /** The message was parked, if the partition is still owned. */
    void parked(Entry entry, boolean owned) {
        if (!owned) {
            giveBack(entry);
            return;
        }
        Long number = entry.lane.number;
        if (number != null && settings.onParked() == OnParked.HOLD_KEY) {
            reader.hold(entry.waiting.partition(), number);
        }
        parkedLog.parked(entry);
        brokers.observer().parked(entry.lane.target.destination);
        end(entry);
    }

    /** Somebody else owns it, or it is gone; if not, it is read again. */
    private void giveBack(Entry entry) {
        Long number = entry.lane.number;
        Region region = number == null
                ? new OfDestination(entry.lane.target.destination)
                : new OfLane(number, entry.waiting.partition(), entry.lane.target.destination);
        end(entry);
        reader.setAside(region, entry.seq());
    }

    private void end(Entry entry) {
        entry.lane.underWay = false;
        entry.lane.failing = false;
        window.leaveLane(entry);
        window.forget(entry);
    }
}
