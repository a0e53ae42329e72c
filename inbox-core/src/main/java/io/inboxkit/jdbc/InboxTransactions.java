package io.inboxkit.jdbc;

import io.inboxkit.ClaimedMessages;
import io.inboxkit.ClaimedMessages.Refusal;
import io.inboxkit.ConsumerSettings;
import io.inboxkit.DuplicateOrigin;
import io.inboxkit.InboxMessage;
import io.inboxkit.InboxObserver;
import io.inboxkit.InboxObserver.MessageOutcome;
import io.inboxkit.InboxUnavailableException;
import io.inboxkit.MessageInProgressException;
import io.inboxkit.Outcome;
import io.inboxkit.Position;
import io.inboxkit.RejectedMessageException;
import io.inboxkit.StaleMessageException;
import io.inboxkit.ThrowingConsumer;
import io.inboxkit.ThrowingRunnable;
import io.inboxkit.UndecidedMessageException;
import io.inboxkit.jdbc.ClaimStrategy.Claim;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Runs work in one transaction with its claims. The only place that decides what a duplicate is.
 *
 * <p>Only what happened before the work ran is told as {@link UndecidedMessageException}; what the work throws goes on as it is.
 */
final class InboxTransactions {

    private static final Logger LOG = LoggerFactory.getLogger("io.inboxkit.duplicates");

    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

    private final DataSource dataSource;
    private final PlatformTransactionManager manager;
    private final Claiming claiming;
    private final ConsumerIds consumers;
    private final Duration claimTimeout;
    private final int attempts;
    private final InboxObserver observer;
    private final Refusals refusals;
    private final OpenMessages open;
    private final StaleLog staleLog = new StaleLog();

    InboxTransactions(
            JdbcInboxBuilder builder,
            Claiming claiming,
            ConsumerIds consumers,
            OpenMessages open,
            InboxObserver observer) {
        this.open = open;
        this.dataSource = builder.dataSource;
        this.manager = builder.transactionManager;
        this.claimTimeout = builder.claimTimeout;
        this.attempts = builder.attempts;
        this.observer = observer;
        this.refusals = new Refusals(builder.staleAction, builder.logMessageIds);
        this.claiming = claiming;
        this.consumers = consumers;
    }

    Outcome process(InboxMessage message, ConsumerSettings settings, ThrowingRunnable work) {
        String consumer = message.consumer();
        long start = System.nanoTime();
        ClaimStrategy strategy = claiming.strategyFor(message);
        try {
            Object name = refusals.nameOf(message);
            return inTransaction(name, Set.of(consumer), settings, (transaction, retried) -> {
                if (strategy != null) {
                    Claim claim = claim(strategy, transaction, message, name);
                    if (!claim.isNew()) {
                        transaction.release();
                        refusals.refuse(message, claim, settings.onReusedId());
                        skipped(message, claim);
                        return Outcome.DUPLICATE;
                    }
                }
                work.run();
                transaction.commit(name, strategy != null);
                observer.outcome(consumer, MessageOutcome.PROCESSED);
                return Outcome.PROCESSED;
            });
        } catch (Throwable failure) {
            if (message.id() != null) {
                open.keep(List.of(message), failure);
            }
            throw InboxTransactions.<RuntimeException>unchanged(failure);
        } finally {
            observer.finished(consumer, Duration.ofNanos(System.nanoTime() - start));
        }
    }

    int processAll(List<InboxMessage> messages, ConsumerSettings settings, ThrowingConsumer<List<InboxMessage>> work) {
        List<InboxMessage> failed = new ArrayList<>();
        try {
            return processClaimed(messages, settings, claimed -> {
                failed.clear();
                Refusal refusal = claimed.refusal();
                if (refusal != null) {
                    failed.add(messages.get(refusal.index()));
                    throw refusal.reason();
                }
                List<InboxMessage> fresh =
                        claimed.fresh().stream().map(messages::get).toList();
                failed.addAll(fresh);
                work.accept(fresh);
                claimed.commit();
            });
        } catch (Throwable failure) {
            open.keep(failed, failure);
            throw InboxTransactions.<RuntimeException>unchanged(failure);
        }
    }

    int processClaimed(List<InboxMessage> messages, ConsumerSettings settings, ThrowingConsumer<ClaimedMessages> work) {
        if (messages.isEmpty()) {
            return 0;
        }
        long start = System.nanoTime();
        ClaimList list = new ClaimList(messages);
        try {
            return inTransaction(list, list.consumers(), settings, (transaction, retried) -> {
                claim(list, transaction);
                Refusal refusal = refusals.first(list, settings.onReusedId());
                if (list.fresh().isEmpty() && refusal == null) {
                    transaction.release();
                    ended(list, true);
                    return 0;
                }
                ListTransaction claimed = new ListTransaction(transaction, list, refusal, retried);
                work.accept(claimed);
                claimed.rollback();
                ended(list, claimed.isCommitted());
                return claimed.isCommitted() ? list.fresh().size() : 0;
            });
        } finally {
            Duration duration = Duration.ofNanos(System.nanoTime() - start);
            list.consumers().forEach(consumer -> observer.finished(consumer, duration));
        }
    }

    private void claim(ClaimList list, InboxTransaction transaction) {
        long start = System.nanoTime();
        undecidedOnFailure(list, () -> {
            list.claim(claiming, consumers, transaction);
            return list;
        });
        Duration duration = Duration.ofNanos(System.nanoTime() - start);
        list.consumers().forEach(consumer -> observer.claimed(consumer, duration));
    }

    /** Only at the end: a list that is tried again, as a whole or in parts, must not count its messages twice. */
    private void ended(ClaimList list, boolean committed) {
        if (committed) {
            list.duplicates()
                    .values()
                    .forEach(duplicate ->
                            skipped(duplicate.message(), duplicate.stale(), duplicate.first(), duplicate.isOther()));
            list.fresh().forEach(index -> observer.outcome(list.get(index).consumer(), MessageOutcome.PROCESSED));
        }
    }

    private Claim claim(ClaimStrategy strategy, InboxTransaction transaction, InboxMessage message, Object name) {
        long start = System.nanoTime();
        Claim claim = undecidedOnFailure(
                name, () -> strategy.claim(consumers, transaction.connection(), message, transaction.isOwn()));
        observer.claimed(message.consumer(), Duration.ofNanos(System.nanoTime() - start));
        return claim;
    }

    private void skipped(InboxMessage message, Claim claim) {
        KnownMessage known = claim.known();
        skipped(
                message,
                claim.isStale(),
                known == null ? null : known.position(),
                known != null && known.isOtherThan(message));
    }

    private void skipped(InboxMessage message, boolean stale, @Nullable Position first, boolean other) {
        if (stale) {
            staleLog.skipped(message, refusals.nameOf(message));
            observer.outcome(message.consumer(), MessageOutcome.STALE);
            return;
        }
        observer.outcome(message.consumer(), other ? MessageOutcome.REUSED_ID : MessageOutcome.DUPLICATE);
        DuplicateOrigin origin = DuplicateOrigin.of(message, first);
        observer.duplicate(message.consumer(), origin, message.position(), first);
        if (LOG.isDebugEnabled()) {
            LOG.debug(
                    "The {} at position {} is skipped as a duplicate, origin {}: it was processed at position {}",
                    refusals.nameOf(message),
                    message.position(),
                    origin,
                    first);
        }
    }

    private <R> R inTransaction(
            Object what, Collection<String> consumerNames, ConsumerSettings settings, Body<R> body) {
        for (int attempt = 1; ; attempt++) {
            boolean last = attempt == attempts;
            InboxTransaction transaction = null;
            try {
                InboxTransaction begun = begin(what, consumerNames, settings);
                transaction = begun;
                return body.run(begun, failure -> isRetried(begun, last, failure));
            } catch (Throwable failure) {
                if (transaction != null) {
                    transaction.rollbackAfter(failure);
                }
                if (transaction == null || !isRetried(transaction, last, failure)) {
                    consumerNames.forEach(consumer -> observer.outcome(consumer, outcomeOf(failure)));
                    throw InboxTransactions.<RuntimeException>unchanged(failure);
                }
            }
            // Two that met once must not meet again at the same moment.
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE * attempt));
        }
    }

    private static boolean isRetried(InboxTransaction transaction, boolean last, Throwable failure) {
        return transaction.isOwn() && !last && SqlStates.isConflict(failure);
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
        } catch (UndecidedMessageException e) {
            throw e;
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
        if (failure instanceof StaleMessageException) {
            return MessageOutcome.STALE;
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
        /**
         * @param retried whether this failure would be followed by another attempt
         */
        R run(InboxTransaction transaction, Predicate<Throwable> retried) throws Throwable;
    }

    @FunctionalInterface
    private interface Undecided<R> {
        R run() throws SQLException;
    }
}
