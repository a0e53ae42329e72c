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
     * @param isNew whether the message is new, and now claimed
     * @param known what is stored of a message that is not new; {@code null} if it is new, or if the consumer itself is not
     *     known to the database
     */
    record Claim(boolean isNew, @Nullable KnownMessage known) {

        static final Claim NEW = new Claim(true, null);
        static final Claim CONSUMER_UNKNOWN = new Claim(false, null);

        boolean isConsumerUnknown() {
            return !isNew && known == null;
        }
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
        if (claim.isConsumerUnknown()) {
            consumers.evict(message.consumer());
            claim = claim(connection, consumers.of(message.consumer()), message, alone);
        }
        if (claim.isConsumerUnknown()) {
            throw new IllegalStateException(
                    "The consumer '" + message.consumer() + "' was removed while it was in use");
        }
        return claim;
    }
}
