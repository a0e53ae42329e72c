package io.inboxkit.rabbitmq;

import com.rabbitmq.client.Channel;
import io.inboxkit.ClaimedMessages;
import io.inboxkit.ClaimedMessages.Refusal;
import io.inboxkit.ThrowingConsumer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;

/**
 * One part of a batch on its way through the listener's adapter, in one transaction that begins outside of the adapter and
 * ends inside, around the handler. Confined to the consumer's thread.
 */
final class BatchAttempt implements ThrowingConsumer<ClaimedMessages> {

    /** Listeners are shared by consumer threads; between the two layers everything is on one of these. */
    static final ThreadLocal<BatchAttempt> CURRENT = new ThreadLocal<>();

    private final List<BatchInbox.Item> items;
    private final Channel channel;
    private final InboxBatchAdapter adapter;
    private final MessageSettlement settlement;
    private final Set<Long> returnedTags = new TreeSet<>();
    private @Nullable ClaimedMessages claimed;
    private @Nullable DeferredChannel deferred;
    private List<BatchInbox.Item> handed = List.of();
    private @Nullable Refusal refused;
    private @Nullable Exception failure;

    BatchAttempt(
            List<BatchInbox.Item> items, Channel channel, InboxBatchAdapter adapter, MessageSettlement settlement) {
        this.items = List.copyOf(items);
        this.channel = channel;
        this.adapter = adapter;
        this.settlement = settlement;
    }

    /** Claims the messages and hands the new ones to the handler. */
    void run(Admission admission) {
        admission
                .inbox()
                .processAll(items.stream().map(BatchInbox.Item::message).toList(), admission.settings(), this);
        boolean committed = claimed == null || claimed.isCommitted();
        DeferredChannel used = deferred;
        if (used != null) {
            if (committed) {
                used.committed();
            } else {
                used.rolledBack();
                used.refuse();
                returnedTags.addAll(used.refusedTags());
            }
        }
        if (committed && settlement.isManual()) {
            acknowledgeSkipped(used);
        }
    }

    /** The handler knows nothing of duplicates, so it does not acknowledge them, unless together with others. */
    private void acknowledgeSkipped(@Nullable DeferredChannel used) {
        Set<Long> known = new TreeSet<>();
        handed.forEach(item -> known.add(item.received().tag()));
        for (BatchInbox.Item item : items) {
            long tag = item.received().tag();
            boolean reached = used != null && used.hasAcknowledged(tag);
            if (known.add(tag) && !reached && settlement.isFirstFor(tag)) {
                DeferredChannel.acknowledgeSkipped(channel, item.received());
            }
        }
    }

    @Override
    public void accept(ClaimedMessages messages) throws Throwable {
        claimed = messages;
        failure = null;
        refused = messages.refusal();
        if (refused != null) {
            messages.rollback();
            return;
        }
        handed = messages.fresh().stream().map(items::get).toList();
        List<org.springframework.amqp.core.Message> amqp = new ArrayList<>();
        handed.forEach(item -> amqp.add(item.received().amqpMessage()));
        CURRENT.set(this);
        try {
            adapter.handOn(amqp, channel);
        } catch (Exception e) {
            if (messages.isRetried(e)) {
                messages.rollback();
                throw e;
            }
            if (returnedTags.isEmpty() && (deferred == null || !deferred.refused())) {
                failure = e;
            }
        } finally {
            CURRENT.remove();
        }
        if (messages.isCommitted()) {
            failure = null;
        } else {
            messages.rollback();
        }
    }

    @Nullable
    Object invoke(InvocableHandlerMethod handler, Message<?> message, @Nullable Object... provided) throws Exception {
        ClaimedMessages messages = Objects.requireNonNull(claimed);
        Set<Long> tags = new TreeSet<>();
        handed.forEach(item -> tags.add(item.received().tag()));
        DeferredChannel own =
                new DeferredChannel(channel, tags, handed.get(0).received().position());
        deferred = own;
        @Nullable Object[] arguments = provided.clone();
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i] == channel) {
                arguments[i] = own.proxy();
            }
        }
        try {
            Object result = handler.invoke(message, arguments);
            MessageDelivery.refusePromise(handler, result);
            if (own.refused()) {
                messages.rollback();
            } else {
                messages.commit();
            }
            return null;
        } catch (Throwable e) {
            messages.rollback();
            throw e;
        }
    }

    /** The new messages, which the handler was given. */
    List<BatchInbox.Item> handed() {
        return handed;
    }

    /** The message that must not be handled, or {@code null}. */
    @Nullable
    Refusal refused() {
        return refused;
    }

    /** What the handler has refused by its channel; the broker knows. */
    Set<Long> returnedTags() {
        return returnedTags;
    }

    /** Why nothing was committed, as it came out of the adapter, or {@code null}. */
    @Nullable
    Exception failure() {
        return failure;
    }
}
