package io.inboxkit.jdbc;

import io.inboxkit.ClaimedMessages;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The transaction of a list of messages, which the work ends. */
final class ListTransaction implements ClaimedMessages {

    private final InboxTransaction transaction;
    private final ClaimList list;
    private final @Nullable Refusal refusal;
    private final Predicate<Throwable> retried;
    private final List<Integer> fresh;
    private boolean committed;
    private boolean rolledBack;

    /**
     * @param refusal the first message that must not be handled, or {@code null}
     * @param retried whether the whole is tried again after a failure
     */
    ListTransaction(
            InboxTransaction transaction, ClaimList list, @Nullable Refusal refusal, Predicate<Throwable> retried) {
        this.transaction = transaction;
        this.list = list;
        this.refusal = refusal;
        this.retried = retried;
        this.fresh = list.fresh();
    }

    @Override
    public List<Integer> fresh() {
        return fresh;
    }

    @Override
    public @Nullable Refusal refusal() {
        return refusal;
    }

    @Override
    public void commit() {
        if (committed || rolledBack) {
            throw new IllegalStateException("The transaction of the " + list + " has been ended before");
        }
        transaction.commit(list, list.claimedAny());
        committed = true;
    }

    @Override
    public void rollback() {
        if (!committed && !rolledBack) {
            rolledBack = true;
            transaction.rollback();
        }
    }

    @Override
    public boolean isCommitted() {
        return committed;
    }

    @Override
    public boolean isRetried(Throwable failure) {
        return !committed && retried.test(failure);
    }
}
