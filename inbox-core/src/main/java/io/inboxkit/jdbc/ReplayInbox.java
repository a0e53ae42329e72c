package io.inboxkit.jdbc;

import io.inboxkit.ClaimedMessages;
import io.inboxkit.ConsumerSettings;
import io.inboxkit.ConsumerStatus;
import io.inboxkit.Inbox;
import io.inboxkit.InboxEntry;
import io.inboxkit.InboxMessage;
import io.inboxkit.Outcome;
import io.inboxkit.Position;
import io.inboxkit.ThrowingConsumer;
import io.inboxkit.ThrowingRunnable;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An inbox for the records of a replay: the same memory, with transactions of its own. */
final class ReplayInbox implements Inbox {

    private final JdbcInbox live;
    private final InboxTransactions transactions;
    private final ConsumerSettings defaults;

    ReplayInbox(JdbcInbox live, InboxTransactions transactions, ConsumerSettings defaults) {
        this.live = live;
        this.transactions = transactions;
        this.defaults = defaults;
    }

    @Override
    public Outcome process(InboxMessage message, ThrowingRunnable work) {
        return transactions.process(message, defaults, work);
    }

    @Override
    public Outcome process(InboxMessage message, ConsumerSettings settings, ThrowingRunnable work) {
        return transactions.process(message, settings, work);
    }

    @Override
    public int processAll(List<InboxMessage> messages, ThrowingConsumer<List<InboxMessage>> work) {
        return transactions.processAll(messages, defaults, work);
    }

    @Override
    public int processAll(
            List<InboxMessage> messages, ConsumerSettings settings, ThrowingConsumer<ClaimedMessages> work) {
        return transactions.processClaimed(messages, settings, work);
    }

    @Override
    public void register(String consumer, ConsumerSettings settings) {
        live.register(consumer, settings);
    }

    @Override
    public Optional<InboxEntry> find(String consumer, @Nullable String scope, String id) {
        return live.find(consumer, scope, id);
    }

    @Override
    public void leaveOpen(List<InboxMessage> messages, Throwable reason) {
        live.leaveOpen(messages, reason);
    }

    @Override
    public boolean forget(String consumer, @Nullable String scope, String id) {
        return live.forget(consumer, scope, id);
    }

    @Override
    public boolean discard(String consumer, @Nullable String scope, String id) {
        return live.discard(consumer, scope, id);
    }

    @Override
    public boolean discard(String consumer, Position position) {
        return live.discard(consumer, position);
    }

    @Override
    public List<ConsumerStatus> consumers() {
        return live.consumers();
    }

    @Override
    public void rename(String oldName, String newName) {
        live.rename(oldName, newName);
    }

    @Override
    public boolean retire(String consumer) {
        return live.retire(consumer);
    }

    @Override
    public String toString() {
        return live + ", for a replay";
    }
}
