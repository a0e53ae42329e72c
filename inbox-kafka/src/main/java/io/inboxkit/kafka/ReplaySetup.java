package io.inboxkit.kafka;

import io.inboxkit.Inbox;
import io.inboxkit.jdbc.JdbcInbox;
import io.inboxkit.jdbc.ReplayRow;
import io.inboxkit.jdbc.ReplayRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What differs for a listener that handles the records of a run. */
final class ReplaySetup implements FailedDeliveries {

    private final ReplayRow run;
    private final UUID owner;
    private final ReplayProgress progress;
    private final List<Handler> handlers = new ArrayList<>();

    ReplaySetup(ReplayRow run, UUID owner, ReplayProgress progress) {
        this.run = run;
        this.owner = owner;
        this.progress = progress;
    }

    /** The inbox of the handlers, as this run is to use it. */
    Inbox inbox(Inbox original) {
        ReplayRuns runs = ((JdbcInbox) original).replays();
        boolean reprocessing = ReplayMode.valueOf(run.mode()) == ReplayMode.REPROCESS;
        return reprocessing
                ? runs.reprocessing(run.id(), owner, live -> new ReplayObserver(live, progress, true))
                : runs.skippingProcessed(live -> new ReplayObserver(live, progress, false));
    }

    void connected(HandlerPlan plan, MessageIdentity identity) {
        handlers.add(new Handler(plan, identity));
    }

    /** The handlers that are connected. */
    List<Handler> handlers() {
        return handlers;
    }

    @Override
    public void failed(ConsumerRecord<?, ?> delivered, Throwable failure) {
        progress.failed(delivered, failure);
    }

    @Override
    public void wentOn(ConsumerRecord<?, ?> delivered) {
        progress.wentOn(delivered);
    }

    /** A handler and what makes a record a message for it. */
    record Handler(HandlerPlan plan, MessageIdentity identity) {}
}
