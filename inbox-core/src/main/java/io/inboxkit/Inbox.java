package io.inboxkit;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gives every message one effect, however often it is delivered.
 *
 * <p>The id of a message and the database writes of its work are committed in one transaction. Which of two deliveries is
 * first is decided by a unique key of the database, so it holds over threads, processes and crashes. An instance is safe
 * for use by many threads.
 */
public interface Inbox {

    /**
     * Runs the work in one transaction with the claim of the message's id, unless the id is known.
     *
     * <p>An outer transaction of the same transaction manager is joined; then nothing is retried inside, and a failure marks
     * it rollback-only. Otherwise a transaction of its own is begun and committed, and serialisation failures and deadlocks
     * (SQLSTATE 40001, 40P01) are retried up to {@code inbox.transaction.attempts}, which may run the work more than once;
     * its writes count once. A process that dies before the commit leaves nothing behind.
     *
     * @param message the message
     * @param work what is to be done once; writes through the same {@code DataSource} take part in the transaction
     * @return whether the work ran
     * @throws UndecidedMessageException if it could not be decided whether the message is new; the work did not run
     * @throws ReusedMessageIdException if the id is known with another fingerprint
     * @throws org.springframework.transaction.UnexpectedRollbackException if the work returned, but its transaction was
     *     marked rollback-only or aborted by the database
     */
    Outcome process(InboxMessage message, ThrowingRunnable work);

    /**
     * As {@link #process(InboxMessage, ThrowingRunnable)} with the settings of a listener. Whatever the work throws, checked
     * exceptions too, is thrown on unchanged after the rollback.
     */
    Outcome process(InboxMessage message, ConsumerSettings settings, ThrowingRunnable work);

    /**
     * Claims many messages in one statement and hands those that are new to the work, in their order, in one transaction. The
     * work is not called when none is new. A message that is twice in the list is new once; one with the id of an earlier one and
     * another fingerprint is a reused id, and refuses the list.
     *
     * @param messages messages with ids, of one or several consumers
     * @param work what is to be done with the new ones
     * @return how many were new
     */
    int processAll(List<InboxMessage> messages, ThrowingConsumer<List<InboxMessage>> work);

    /**
     * As {@link #processAll(List, ThrowingConsumer)} with the settings of a listener, for work that ends the transaction itself
     * and that deals with a refused message itself. Messages without an id may be in the list; they are always new. The work is
     * not called when there is neither a new message nor a refused one.
     *
     * @return how many new ones were committed
     * @throws UndecidedMessageException if it could not be decided which messages are new; the work did not run
     */
    int processAll(List<InboxMessage> messages, ConsumerSettings settings, ThrowingConsumer<ClaimedMessages> work);

    /**
     * Makes a consumer known before its first message, with the retention of its ids. A consumer that is not registered is
     * made known by its first message, with the default retention.
     */
    void register(String consumer, ConsumerSettings settings);

    /** What is known of a message without scope. */
    default Optional<InboxEntry> find(String consumer, String id) {
        return find(consumer, null, id);
    }

    /**
     * What is known of a message by its id; nothing of those that are {@linkplain Tracking#POSITION known by position}. Reads
     * only; takes part in an open transaction.
     *
     * @param consumer the name of the consumer
     * @param scope the scope, or {@code null} for none
     * @param id the id as it was sent
     */
    Optional<InboxEntry> find(String consumer, @Nullable String scope, String id);

    /**
     * Notes that messages failed or were refused where the inbox does not see it itself: before they were given to it, or in
     * work that was handed several. They are open until they are processed or discarded. To be called after the rollback;
     * where an outer transaction is open, they are noted when that has ended. What could not be decided is not noted, and
     * neither is a message that has nothing by which it could be known again: no id of its own, and no position. Never throws.
     *
     * @param messages the messages, with an id or a position
     * @param reason why
     */
    void leaveOpen(List<InboxMessage> messages, Throwable reason);

    /** Makes a message without scope unknown again. */
    default boolean forget(String consumer, String id) {
        return forget(consumer, null, id);
    }

    /**
     * Makes a message unknown again and leaves it open, so that its next delivery is processed: for a correction that must go
     * out under the id of a message that was already processed. Writes a line to the audit log {@code io.inboxkit.audit}.
     *
     * @return whether the message was known
     */
    boolean forget(String consumer, @Nullable String scope, String id);

    /** Discards an open message without scope. */
    default boolean discard(String consumer, String id) {
        return discard(consumer, null, id);
    }

    /**
     * Gives an open message up: it is no longer listed, and a delivery of it that is older than the memory of its consumer
     * counts as processed. Writes a line to the audit log {@code io.inboxkit.audit}.
     *
     * @return whether the message was open
     */
    boolean discard(String consumer, @Nullable String scope, String id);

    /** As {@link #discard(String, String, String)} for a message that has no id of its own. */
    boolean discard(String consumer, Position position);

    /** All consumers that the database knows, by name. Reads only. */
    List<ConsumerStatus> consumers();

    /**
     * Gives a consumer another name; its memory stays.
     *
     * @throws IllegalArgumentException if there is no consumer of the old name, or there is one of the new name
     */
    void rename(String oldName, String newName);

    /**
     * Deletes a consumer that is no longer in use, with all ids that it remembers, in bounded batches.
     *
     * @return whether there was such a consumer
     */
    boolean retire(String consumer);
}
