package io.inboxkit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages that have been claimed together, in a transaction that is open until the work {@linkplain #commit() commits} it or
 * {@linkplain #rollback() rolls it back}; work that returns without either is rolled back. For work that is not over when the
 * transaction is, such as that of a listener, whose reply must leave after the commit. Confined to the thread of the
 * transaction.
 */
public interface ClaimedMessages {

    /** The places, in the list that was claimed, of the messages that are new, each once and in order. */
    List<Integer> fresh();

    /**
     * The first message that must not be handled. Those before it can be claimed again without it, after the rollback.
     *
     * @return {@code null} if there is none
     */
    @Nullable
    Refusal refusal();

    /**
     * Commits the claims together with the work, or leaves that to the outer transaction that was joined.
     *
     * @throws org.springframework.transaction.UnexpectedRollbackException if the transaction was marked rollback-only or aborted
     *     by the database; it must then be rolled back, as after every failure of a commit
     */
    void commit();

    /** Rolls claims and work back; an outer transaction is marked rollback-only. Nothing happens if that is done. */
    void rollback();

    /** Whether the transaction is committed, or left to the outer one. */
    boolean isCommitted();

    /**
     * Whether the list is claimed again and the work called once more, if the work throws this failure: a serialisation
     * failure or deadlock, in a transaction of the inbox's own, with attempts left.
     */
    boolean isRetried(Throwable failure);

    /**
     * A message that must not be handled.
     *
     * @param index its place in the list that was claimed
     * @param reason why
     */
    record Refusal(int index, RejectedMessageException reason) {}
}
