package io.inboxkit.outbox.relay;

import io.inboxkit.outbox.BrokerPublisher;
import io.inboxkit.outbox.Destination;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** A destination as one worker sees it: what is ready to be sent there, and whether it takes messages. */
final class Target {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    final Destination destination;
    final BrokerPublisher publisher;
    final Deque<Lane> ready = new ArrayDeque<>();
    int entries;
    long bytes;
    int underWay;
    long bytesUnderWay;

    /** The message that it is tried with while it is faulty. */
    @Nullable
    Entry probe;

    private Duration pause = Duration.ZERO;
    private long pauseEnd;
    private boolean proven = true;
    private @Nullable String error;
    private long faultySince;

    Target(Destination destination, BrokerPublisher publisher) {
        this.destination = destination;
        this.publisher = publisher;
    }

    /** Whether it has failed, and nothing has gone through since. */
    boolean isFaulty() {
        return !proven;
    }

    /** Whether the time has come to try again. */
    boolean isPaused(long now) {
        return !proven && now - pauseEnd < 0;
    }

    /** Until when it is left alone; to be asked only while it is faulty. */
    long pauseEnd() {
        return pauseEnd;
    }

    /** Where it is not known whether it takes messages again, one at a time is tried. */
    boolean hasRoomFor(int size, int mostBytes, int mostEntries) {
        if (underWay == 0) {
            return true;
        }
        return proven && underWay < mostEntries && bytesUnderWay + size <= mostBytes;
    }

    void worked() {
        proven = true;
        pause = Duration.ZERO;
        error = null;
    }

    /** A message that was sent at that time was not taken; those that were sent before the first failure count once. */
    void failed(long now, long sentAt, String reason) {
        error = reason;
        if (proven) {
            faultySince = now;
        }
        if (proven || sentAt - pauseEnd >= 0) {
            pause = pause.isZero() ? FIRST_PAUSE : pause.multipliedBy(2);
            if (pause.compareTo(LONGEST_PAUSE) > 0) {
                pause = LONGEST_PAUSE;
            }
            pauseEnd = now + pause.toNanos();
        }
        proven = false;
    }

    /** What is wrong with it, or {@code null}. */
    @Nullable
    String error() {
        return error;
    }

    Duration faultyFor(long now) {
        return Duration.ofNanos(now - faultySince);
    }
}
