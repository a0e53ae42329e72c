package io.inboxkit.outbox.relay;

import io.inboxkit.outbox.RelayMessages;
import io.inboxkit.outbox.RelayMessages.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * What became of messages and is not yet known to the database. It is kept until the database has it, however often that fails. Used
 * by one worker only.
 */
final class Outcomes {

    private static final long LONGEST_DELAY = TimeUnit.MILLISECONDS.toNanos(5);

    private final RelayMessages messages;
    private final int batchSize;
    private final List<Entry> confirmed = new ArrayList<>();
    private final List<Entry> failed = new ArrayList<>();
    private final List<Entry> parked = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final List<String> reasons = new ArrayList<>();
    private long oldest;

    Outcomes(RelayMessages messages, int batchSize) {
        this.messages = messages;
        this.batchSize = batchSize;
    }

    void confirmed(Entry entry) {
        if (confirmed.isEmpty()) {
            oldest = System.nanoTime();
        }
        confirmed.add(entry);
    }

    void failed(Entry entry, String error) {
        failed.add(entry);
        failures.add(error);
    }

    void park(Entry entry, String reason) {
        parked.add(entry);
        reasons.add(reason);
    }

    boolean isEmpty() {
        return confirmed.isEmpty() && failed.isEmpty() && parked.isEmpty();
    }

    /** Whether to wait any longer would not gather much more. */
    boolean isDue(boolean quiet) {
        return !failed.isEmpty()
                || !parked.isEmpty()
                || confirmed.size() >= batchSize
                || (!confirmed.isEmpty() && (quiet || System.nanoTime() - oldest >= LONGEST_DELAY));
    }

    /** Called with an entry, and whether the database took what became of it. */
    record Receivers(
            BiConsumer<Entry, Boolean> confirmed,
            BiConsumer<Entry, Boolean> failed,
            BiConsumer<Entry, Boolean> parked) {}

    /** Tells the database. */
    void write(Receivers receivers) {
        while (!confirmed.isEmpty()) {
            List<Entry> batch = confirmed.subList(0, Math.min(batchSize, confirmed.size()));
            messages.published(batch.stream().map(Entry::seq).toList());
            batch.forEach(entry -> receivers.confirmed().accept(entry, true));
            batch.clear();
        }
        if (!failed.isEmpty()) {
            Set<Long> counted = messages.failed(faults(failed, failures));
            settle(failed, failures, counted, receivers.failed());
        }
        if (!parked.isEmpty()) {
            Set<Long> moved = messages.park(faults(parked, reasons));
            settle(parked, reasons, moved, receivers.parked());
        }
    }

    private static List<Fault> faults(List<Entry> entries, List<String> errors) {
        List<Fault> faults = new ArrayList<>(entries.size());
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            faults.add(new Fault(entry.seq(), entry.owned, entry.attempts, errors.get(i)));
        }
        return faults;
    }

    private static void settle(
            List<Entry> entries, List<String> errors, Set<Long> done, BiConsumer<Entry, Boolean> receiver) {
        List<Entry> settled = List.copyOf(entries);
        entries.clear();
        errors.clear();
        settled.forEach(entry -> receiver.accept(entry, done.contains(entry.seq())));
    }
}
