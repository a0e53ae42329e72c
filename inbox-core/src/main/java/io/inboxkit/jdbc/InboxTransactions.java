package io.inboxkit.jdbc;

import io.inboxkit.ConsumerSettings;
import io.inboxkit.InboxMessage;
import io.inboxkit.InboxObserver;
import io.inboxkit.InboxObserver.MessageOutcome;
import io.inboxkit.InboxUnavailableException;
import io.inboxkit.MessageInProgressException;
import io.inboxkit.Outcome;
import io.inboxkit.RejectedMessageException;
import io.inboxkit.ReusedIdPolicy;
import io.inboxkit.ReusedMessageIdException;
import io.inboxkit.ThrowingConsumer;
import io.inboxkit.ThrowingRunnable;
import io.inboxkit.UndecidedMessageException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Runs work in one transaction with its claims. The only place that decides what a duplicate is.
 *
 * <p>Only what happened before the work ran is told as {@link UndecidedMessageException}; what the work throws goes on as it is.
 */
final class InboxTransactions {

    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

    private final DataSource dataSource;
    private final PlatformTransactionManager manager;
    private final Claims claims;
    private final ConsumerIds consumers;
    private final Duration claimTimeout;
    private final int attempts;
    private final InboxObserver observer;
    private final boolean logMessageIds;

    InboxTransactions(JdbcInboxBuilder builder, Claims claims, ConsumerIds consumers) {
        this.dataSource = builder.dataSource;
        this.manager = builder.transactionManager;
        this.claimTimeout = builder.claimTimeout;
        this.attempts = builder.attempts;
        this.observer = builder.observer;
        this.logMessageIds = builder.logMessageIds;
        this.claims = claims;
        this.consumers = consumers;
    }

    Outcome process(InboxMessage message, ConsumerSettings settings, ThrowingRunnable work) {
        String consumer = message.consumer();
        long start = System.nanoTime();
        try {
            Object name = nameOf(message);
            return inTransaction(name, Set.of(consumer), settings, transaction -> {
                if (message.id() != null) {
                    KnownMessage known = claim(transaction, message, name);
                    if (known != null) {
                        transaction.release();
                        refuseReused(message, known, settings.onReusedId());
                        skipped(message, known);
                        return Outcome.DUPLICATE;
                    }
                }
                work.run();
                transaction.commit(name, message.id() != null);
                observer.outcome(consumer, MessageOutcome.PROCESSED);
                return Outcome.PROCESSED;
            });
        } finally {
            observer.finished(consumer, Duration.ofNanos(System.nanoTime() - start));
        }
    }

    int processAll(List<InboxMessage> messages, ConsumerSettings settings, ThrowingConsumer<List<InboxMessage>> work) {
        if (messages.isEmpty()) {
            return 0;
        }
        ClaimList list = new ClaimList(messages);
        return inTransaction(list, list.consumers(), settings, transaction -> {
            long start = System.nanoTime();
            List<InboxMessage> fresh = undecidedOnFailure(list, () -> list.claim(claims, consumers, transaction));
            list.consumers()
                    .forEach(consumer -> observer.claimed(consumer, Duration.ofNanos(System.nanoTime() - start)));
            list.duplicates((message, known) -> refuseReused(message, known, settings.onReusedId()));
            refuseReused(list, settings.onReusedId());
            if (fresh.isEmpty()) {
                transaction.release();
            } else {
                work.accept(fresh);
                transaction.commit(list, true);
            }
            // Only now: a list that is tried again must not count its messages twice.
            list.duplicates(this::skipped);
            list.others().keySet().forEach(other -> observer.outcome(other.consumer(), MessageOutcome.REUSED_ID));
            fresh.forEach(message -> observer.outcome(message.consumer(), MessageOutcome.PROCESSED));
            return fresh.size();
        });
    }

    private @Nullable KnownMessage claim(InboxTransaction transaction, InboxMessage message, Object name) {
        long start = System.nanoTime();
        Claims.Claim claim = undecidedOnFailure(
                name, () -> claims.claim(consumers, transaction.connection(), message, transaction.isOwn()));
        observer.claimed(message.consumer(), Duration.ofNanos(System.nanoTime() - start));
        return claim.known();
    }

    private void refuseReused(InboxMessage message, KnownMessage known, ReusedIdPolicy onReusedId) {
        if (onReusedId == ReusedIdPolicy.REJECT && known.isOtherThan(message)) {
            throw new ReusedMessageIdException("The " + nameOf(message)
                    + " has the id of a message that was processed at " + known.processedAt()
                    + ", but another payload. It was not handed to the handler. A producer must give each "
                    + "message an id of its own; a correction needs a new id, or the old one must be forgotten first");
        }
    }

    private void refuseReused(ClaimList list, ReusedIdPolicy onReusedId) {
        if (onReusedId == ReusedIdPolicy.REJECT && !list.others().isEmpty()) {
            throw new ReusedMessageIdException("The "
                    + nameOf(list.others().keySet().iterator().next())
                    + " has the id of an earlier message of its list, but another payload. Nothing of the list was handed to"
                    + " the work. A producer must give each message an id of its own");
        }
    }

    private void skipped(InboxMessage message, KnownMessage known) {
        observer.outcome(
                message.consumer(), known.isOtherThan(message) ? MessageOutcome.REUSED_ID : MessageOutcome.DUPLICATE);
        observer.duplicate(message.consumer(), message.position(), known.position());
    }

    /** What messages for humans call it; made into text only when it is needed. */
    private Object nameOf(InboxMessage message) {
        return logMessageIds ? message.describe(true) : message;
    }

    private <R> R inTransaction(
            Object what, Collection<String> consumerNames, ConsumerSettings settings, Body<R> body) {
        for (int attempt = 1; ; attempt++) {
            InboxTransaction transaction = null;
            try {
                transaction = begin(what, consumerNames, settings);
                return body.run(transaction);
            } catch (Throwable failure) {
                if (transaction != null) {
                    transaction.rollbackAfter(failure);
                }
                if (transaction == null
                        || !transaction.isOwn()
                        || attempt == attempts
                        || !SqlStates.isConflict(failure)) {
                    consumerNames.forEach(consumer -> observer.outcome(consumer, outcomeOf(failure)));
                    throw InboxTransactions.<RuntimeException>unchanged(failure);
                }
            }
            // Two that met once must not meet again at the same moment.
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE * attempt));
        }
    }

    private InboxTransaction begin(Object what, Collection<String> consumerNames, ConsumerSettings settings) {
        return undecidedOnFailure(what, () -> {
            // Before the transaction, so that a consumer that is new needs no second connection and no longer lock.
            consumerNames.forEach(consumers::of);
            return InboxTransaction.begin(manager, dataSource, settings);
        });
    }

    private <R> R undecidedOnFailure(Object what, Undecided<R> step) {
        try {
            return step.run();
        } catch (SQLException | RuntimeException e) {
            if (SqlStates.isLockTimeout(e) || SqlStates.isConflict(e)) {
                throw new MessageInProgressException(
                        "The " + what + " is claimed by another transaction that did not end within "
                                + "inbox.claim.timeout (" + claimTimeout.toMillis()
                                + " ms). It was not handed to the handler and must be delivered again",
                        e);
            }
            throw new InboxUnavailableException(
                    "The database of the inbox could not tell whether the " + what + " is new (SQLSTATE "
                            + SqlStates.of(e)
                            + "). It was not handed to the handler and must be delivered again; look at the "
                            + "cause, and at the database and its connection pool",
                    e);
        }
    }

    private static MessageOutcome outcomeOf(Throwable failure) {
        if (failure instanceof MessageInProgressException) {
            return MessageOutcome.IN_PROGRESS;
        }
        return failure instanceof RejectedMessageException ? MessageOutcome.REUSED_ID : MessageOutcome.FAILED;
    }

    /** Lets a checked exception of the work pass as it is. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> E unchanged(Throwable failure) throws E {
        throw (E) failure;
    }

    @FunctionalInterface
    private interface Body<R> {
        R run(InboxTransaction transaction) throws Throwable;
    }

    @FunctionalInterface
    private interface Undecided<R> {
        R run() throws SQLException;
    }
}
