package io.inboxkit.kafka;

import io.inboxkit.DuplicateOrigin;
import io.inboxkit.InboxObserver;
import io.inboxkit.Position;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Counts for a run what its inbox tells, and passes it on. */
final class ReplayObserver implements InboxObserver {

    private final InboxObserver delegate;
    private final ReplayProgress progress;
    private final boolean reprocessing;

    ReplayObserver(InboxObserver delegate, ReplayProgress progress, boolean reprocessing) {
        this.delegate = delegate;
        this.progress = progress;
        this.reprocessing = reprocessing;
    }

    @Override
    public void outcome(String consumer, MessageOutcome outcome) {
        switch (outcome) {
            case PROCESSED -> progress.handled();
            case STALE -> progress.stale();
            default -> {
                // Duplicates are counted below; the others are failures, which the container decides on.
            }
        }
        delegate.outcome(consumer, outcome);
    }

    @Override
    public void duplicate(
            String consumer, DuplicateOrigin origin, @Nullable Position position, @Nullable Position first) {
        // The run has handled this very record before it was interrupted, and had not noted that it had come so far.
        if (reprocessing && position != null && position.equals(first)) {
            progress.handled();
        } else {
            progress.skipped();
        }
        delegate.duplicate(consumer, origin, position, first);
    }

    @Override
    public void claimed(String consumer, Duration duration) {
        delegate.claimed(consumer, duration);
    }

    @Override
    public void finished(String consumer, Duration duration) {
        delegate.finished(consumer, duration);
    }
}
