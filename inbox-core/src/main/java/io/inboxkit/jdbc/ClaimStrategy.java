package io.inboxkit.jdbc;

import io.inboxkit.InboxMessage;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** How a message is found to be new or known, in an open transaction: one way for each {@link io.inboxkit.Tracking}. */
interface ClaimStrategy {

    /**
     * The answer to a claim.
     *
     * @param verdict what was decided
     * @param known what is stored of a duplicate; {@code null} for everything else
     */
    record Claim(Verdict verdict, @Nullable KnownMessage known) {

        static final Claim NEW = new Claim(Verdict.NEW, null);
        static final Claim STALE = new Claim(Verdict.STALE, null);
        static final Claim UNDECIDED = new Claim(Verdict.UNDECIDED, null);

        static Claim duplicate(KnownMessage known) {
            return new Claim(Verdict.DUPLICATE, known);
        }

        boolean isNew() {
            return verdict == Verdict.NEW;
        }

        boolean isStale() {
            return verdict == Verdict.STALE;
        }

        boolean isUndecided() {
            return verdict == Verdict.UNDECIDED;
        }
    }

    /** What a claim can come to. */
    enum Verdict {
        /** The message is claimed. */
        NEW,
        /** It was claimed before. */
        DUPLICATE,
        /** It is not known, and older than the memory of its consumer. */
        STALE,
        /** The consumer is not known to the database, or the message was forgotten or purged in between. */
        UNDECIDED
    }

    /**
     * Claims one message for a consumer by its number.
     *
     * @param alone whether nothing else is in the transaction: then it is over once a duplicate was found
     */
    Claim claim(Connection connection, int consumer, InboxMessage message, boolean alone) throws SQLException;

    /** The same, for a consumer by its name. */
    default Claim claim(ConsumerIds consumers, Connection connection, InboxMessage message, boolean alone)
            throws SQLException {
        Claim claim = claim(connection, consumers.of(message.consumer()), message, alone);
        if (claim.isUndecided()) {
            consumers.evict(message.consumer());
            claim = claim(connection, consumers.of(message.consumer()), message, alone);
        }
        if (claim.isUndecided()) {
            throw new IllegalStateException(
                    "The consumer '" + message.consumer() + "' was removed while it was in use");
        }
        return claim;
    }
}
