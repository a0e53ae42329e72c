package io.inboxkit.outbox.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Messages that were at fault and wait for another attempt. Used by one worker only. */
final class Retries {

    private static final Duration FIRST_DELAY = Duration.ofMillis(50);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(1);

    private final int most;
    private final PriorityQueue<Retry> waiting = new PriorityQueue<>(Comparator.comparingLong(Retry::at));

    private record Retry(long at, Entry entry) {}

    /**
     * @param most when more than that wait, nobody waits: so the room they take is bounded
     */
    Retries(int most) {
        this.most = most;
    }

    void add(Entry entry, long now) {
        Duration delay = FIRST_DELAY.multipliedBy(1L << Math.min(10, entry.attempts - 1));
        long nanos = Math.min(delay.toNanos(), LONGEST_DELAY.toNanos());
        waiting.add(new Retry(waiting.size() >= most ? now : now + nanos, entry));
    }

    List<Entry> due(long now) {
        List<Entry> due = new ArrayList<>();
        for (Retry next = waiting.peek(); next != null && next.at() - now <= 0; next = waiting.peek()) {
            waiting.remove();
            due.add(next.entry());
        }
        return due;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }
}
