package io.inboxkit.jdbc;

import io.inboxkit.InboxMessage;
import io.inboxkit.Position;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Claims messages by their ids, in an open transaction, with one round trip each time and another one for a duplicate. Plain JDBC, since this is the hot path: a statement
 * through a template would ask the server for the types of null parameters.
 */
final class Claims implements ClaimStrategy {

    private final InboxSql sql;
    private final OpenMessages openMessages;
    private final String timeout;

    Claims(InboxSql sql, OpenMessages openMessages, Duration timeout) {
        this.sql = sql;
        this.openMessages = openMessages;
        this.timeout = timeout.toMillis() + "ms";
    }

    /** One message of a claim of many. */
    record RowKey(int consumer, UUID message) {}

    /** Claims one message, whose id must not be {@code null}. */
    @Override
    public Claim claim(Connection connection, int consumer, InboxMessage message, boolean alone) throws SQLException {
        UUID key = MessageKey.of(message);
        boolean isNew = false;
        boolean isOpen = false;
        try (PreparedStatement statement = connection.prepareStatement(sql.claim)) {
            statement.setBytes(1, message.fingerprint());
            bind(statement, 2, consumer, key, message.position());
            statement.setString(7, timeout);
            try (ResultSet row = statement.executeQuery()) {
                if (row.next()) {
                    isNew = true;
                    isOpen = row.getBoolean(1);
                }
            }
        }
        if (isNew) {
            if (isOpen) {
                openMessages.close(connection, consumer, key, message);
            }
            return Claim.NEW;
        }
        if (!alone) {
            try (PreparedStatement statement = connection.prepareStatement(sql.findDuplicate)) {
                bind(statement, 1, consumer, key, message.position());
                return answer(statement);
            }
        }
        return find(sql.findAndEnd, connection, consumer, key, message.position());
    }

    /** Claims each message of a map and gives one answer per key. */
    Map<RowKey, Claim> claimAll(Connection connection, Map<RowKey, InboxMessage> messages) throws SQLException {
        Map<RowKey, Claim> answers = new HashMap<>();
        List<RowKey> keys = new ArrayList<>(messages.keySet());
        List<InboxMessage> values = new ArrayList<>(messages.values());
        List<RowKey> concurrent = new ArrayList<>();
        List<RowKey> open = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql.claimAll)) {
            statement.setString(1, timeout);
            statement.setArray(
                    2,
                    array(
                            connection,
                            "integer",
                            keys.stream().map(RowKey::consumer).toArray()));
            statement.setArray(
                    3,
                    array(connection, "uuid", keys.stream().map(RowKey::message).toArray()));
            statement.setArray(
                    4,
                    array(
                            connection,
                            "bytea",
                            values.stream().map(InboxMessage::fingerprint).toArray(byte[][]::new)));
            statement.setArray(5, array(connection, "uuid", positions(values, Position::source)));
            statement.setArray(6, array(connection, "integer", positions(values, Position::partition)));
            statement.setArray(7, array(connection, "bigint", positions(values, Position::offset)));
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    RowKey key = new RowKey(row.getInt("consumer_id"), row.getObject("message_key", UUID.class));
                    Claim claim = row.getBoolean("is_new") ? Claim.NEW : notNew(row);
                    if (claim.isNew() && row.getBoolean("is_open")) {
                        open.add(key);
                    }
                    if (claim.isUndecided()) {
                        concurrent.add(key);
                    } else {
                        answers.put(key, claim);
                    }
                }
            }
        }
        for (RowKey key : open) {
            openMessages.close(connection, key.consumer(), key.message(), Objects.requireNonNull(messages.get(key)));
        }
        // Their claims waited for a concurrent duplicate: its row is newer than that statement.
        for (RowKey key : concurrent) {
            Position position = Objects.requireNonNull(messages.get(key)).position();
            answers.put(key, find(sql.find, connection, key.consumer(), key.message(), position));
        }
        return answers;
    }

    private static Claim find(String sql, Connection connection, int consumer, UUID key, @Nullable Position position)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, consumer);
            statement.setObject(2, key);
            bind(statement, 3, consumer, key, position);
            return answer(statement);
        }
    }

    private static Claim answer(PreparedStatement statement) throws SQLException {
        // Not executeQuery(), which refuses what is more than one statement.
        statement.execute();
        try (ResultSet row = statement.getResultSet()) {
            return row.next() ? notNew(row) : Claim.UNDECIDED;
        }
    }

    private static Claim notNew(ResultSet row) throws SQLException {
        KnownMessage known = KnownMessage.read(row);
        if (known != null) {
            return Claim.duplicate(known);
        }
        return row.getBoolean("is_stale") ? Claim.STALE : Claim.UNDECIDED;
    }

    private static void bind(
            PreparedStatement statement, int first, int consumer, UUID key, @Nullable Position position)
            throws SQLException {
        statement.setInt(first, consumer);
        statement.setObject(first + 1, key);
        SourceParameters.bind(statement, first + 2, position);
    }

    private static Array array(Connection connection, String type, Object[] elements) throws SQLException {
        return connection.createArrayOf(type, elements);
    }

    private static Object[] positions(List<InboxMessage> messages, Function<Position, Object> part) {
        return messages.stream()
                .map(InboxMessage::position)
                .map(position -> position == null ? null : part.apply(position))
                .toArray();
    }
}
