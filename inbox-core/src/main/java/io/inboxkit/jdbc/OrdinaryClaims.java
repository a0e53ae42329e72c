package io.inboxkit.jdbc;

import io.inboxkit.InboxMessage;
import io.inboxkit.jdbc.ClaimStrategy.Claim;
import io.inboxkit.jdbc.Claims.RowKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Claims each message as it is tracked: once, for all deliveries there will ever be. */
record OrdinaryClaims(Claims byId, PositionClaims byPosition) implements Claiming {

    @Override
    public @Nullable ClaimStrategy strategyFor(InboxMessage message) {
        if (message.tracked() != null) {
            return byPosition;
        }
        return message.id() == null ? null : byId;
    }

    @Override
    public Map<RowKey, Claim> claimAll(Connection connection, Map<RowKey, InboxMessage> messages) throws SQLException {
        return messages.isEmpty() ? Map.of() : byId.claimAll(connection, messages);
    }

    @Override
    public Map<Integer, Claim> claimByPosition(
            Connection connection, ConsumerIds consumers, List<InboxMessage> messages) throws SQLException {
        return byPosition.claimAll(connection, consumers, messages);
    }
}
