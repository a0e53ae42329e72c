package io.inboxkit.outbox.relay;

import io.inboxkit.outbox.OwnedPartition;
import io.inboxkit.outbox.PublishResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a worker is told by other threads. Thread-safe; {@link #take} is for the worker. */
final class Mailbox {

    private final LinkedBlockingQueue<Letter> letters = new LinkedBlockingQueue<>();

    /** Something to do for a worker. */
    sealed interface Letter {}

    /** A message came to its end at the broker. */
    record Ended(Entry entry, PublishResult result) implements Letter {}

    /** There may be new messages. */
    record Woken() implements Letter {}

    /** A partition was taken, or what is parked in it was changed. */
    record Granted(OwnedPartition partition) implements Letter {}

    /** A partition is to be given up, once nothing of it is under way. */
    record Recalled(OwnedPartition partition) implements Letter {}

    /** All partitions are lost. */
    record Lost() implements Letter {}

    void put(Letter letter) {
        letters.add(letter);
    }

    /** All that is there; waits for the first one for that many nanoseconds at most. */
    List<Letter> take(long nanos) throws InterruptedException {
        List<Letter> taken = new ArrayList<>();
        letters.drainTo(taken);
        if (taken.isEmpty() && nanos > 0) {
            @Nullable Letter first = letters.poll(nanos, TimeUnit.NANOSECONDS);
            if (first != null) {
                taken.add(first);
                letters.drainTo(taken);
            }
        }
        return taken;
    }
}
