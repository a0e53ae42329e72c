package io.inboxkit.jdbc;

import io.inboxkit.InboxMessage;
import io.inboxkit.Position;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/**
 * Claims messages by their ids, in an open transaction, with one round trip each time and another one for a duplicate. Plain JDBC, since this is the hot path: a statement
 * through a template would ask the server for the types of null parameters.
 */
final class Claims implements ClaimStrategy {

    private final InboxSql sql;
    private final String timeout;

    Claims(InboxSql sql, Duration timeout) {
        this.sql = sql;
        this.timeout = timeout.toMillis() + "ms";
    }

    /** One message of a claim of many. */
    record RowKey(int consumer, UUID message) {}

    /** Claims one message, whose id must not be {@code null}. */
    @Override
    public Claim claim(Connection connection, int consumer, InboxMessage message, boolean alone) throws SQLException {
        UUID key = MessageKey.of(message);
        try (PreparedStatement statement = connection.prepareStatement(sql.claim)) {
            Position position = message.position();
            statement.setObject(1, key);
            statement.setBytes(2, message.fingerprint());
            if (position == null) {
                statement.setNull(3, Types.OTHER);
                statement.setNull(4, Types.INTEGER);
                statement.setNull(5, Types.BIGINT);
            } else {
                statement.setObject(3, position.source());
                statement.setInt(4, position.partition());
                statement.setLong(5, position.offset());
            }
            statement.setInt(6, consumer);
            statement.setString(7, timeout);
            try (ResultSet row = statement.executeQuery()) {
                if (row.next()) {
                    return Claim.NEW;
                }
            }
        }
        return find(alone ? sql.findAndEnd : sql.findDuplicate, connection, consumer, key);
    }

    /** Claims each message of a map and gives one answer per key. */
    Map<RowKey, Claim> claimAll(Connection connection, Map<RowKey, InboxMessage> messages) throws SQLException {
        Map<RowKey, Claim> answers = new HashMap<>();
        List<RowKey> keys = new ArrayList<>(messages.keySet());
        List<InboxMessage> values = new ArrayList<>(messages.values());
        List<RowKey> concurrent = new ArrayList<>();
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
                    KnownMessage known = KnownMessage.read(row);
                    if (row.getBoolean("is_new")) {
                        answers.put(key, Claim.NEW);
                    } else if (known != null) {
                        answers.put(key, new Claim(false, known));
                    } else {
                        concurrent.add(key);
                    }
                }
            }
        }
        // Their claims waited for a concurrent duplicate: its row is newer than that statement.
        for (RowKey key : concurrent) {
            answers.put(key, find(sql.find, connection, key.consumer(), key.message()));
        }
        return answers;
    }

    private static Claim find(String sql, Connection connection, int consumer, UUID key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, consumer);
            statement.setObject(2, key);
            // Not executeQuery(), which refuses what is more than one statement.
            statement.execute();
            try (ResultSet row = statement.getResultSet()) {
                return new Claim(false, row.next() ? KnownMessage.read(row) : null);
            }
        }
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
