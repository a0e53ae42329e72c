package io.inboxkit.jdbc;

import io.inboxkit.InboxMessage;
import io.inboxkit.jdbc.ClaimStrategy.Claim;
import io.inboxkit.jdbc.Claims.RowKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How the messages of an inbox are claimed, in an open transaction. */
interface Claiming {

    /** How a single message is claimed; {@code null} for one that is processed without protection. */
    @Nullable
    ClaimStrategy strategyFor(InboxMessage message);

    /** Claims messages by their ids and gives one answer per key. */
    Map<RowKey, Claim> claimAll(Connection connection, Map<RowKey, InboxMessage> messages) throws SQLException;

    /** Claims those messages of a list that have no id, and gives answers for the places of those that can be claimed. */
    Map<Integer, Claim> claimByPosition(Connection connection, ConsumerIds consumers, List<InboxMessage> messages)
            throws SQLException;
}
