package io.inboxkit.jdbc;

import io.inboxkit.InboxMessage;
import io.inboxkit.Position;
import io.inboxkit.jdbc.Claims.RowKey;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Claims messages within a run that handles each once more: new is what the run has not handled. The ordinary claim is made
 * beside it, so that a message which was never processed is known to the live consumer afterwards, and a message that has the
 * id of another one is refused here as there. A message without an id is told by its position.
 */
final class ReplayClaims implements Claiming, ClaimStrategy {

    private static final String POSITION_SCOPE = "replayed position";

    private final Claiming ordinary;
    private final ReplaySql sql;
    private final int replay;
    private final UUID owner;
    private final String timeout;

    ReplayClaims(Claiming ordinary, ReplaySql sql, int replay, UUID owner, Duration timeout) {
        this.ordinary = ordinary;
        this.sql = sql;
        this.replay = replay;
        this.owner = owner;
        this.timeout = timeout.toMillis() + "ms";
    }

    @Override
    public @Nullable ClaimStrategy strategyFor(InboxMessage message) {
        return message.id() == null && message.position() == null ? null : this;
    }

    @Override
    public Claim claim(Connection connection, int consumer, InboxMessage message, boolean alone) throws SQLException {
        ClaimStrategy strategy = ordinary.strategyFor(message);
        Claim claim = strategy == null ? Claim.NEW : strategy.claim(connection, consumer, message, false);
        if (isDecided(claim, message)) {
            return claim;
        }
        RowKey key = new RowKey(consumer, keyOf(message));
        return claimInRun(connection, Map.of(key, message)).getOrDefault(key, Claim.NEW);
    }

    @Override
    public Map<RowKey, Claim> claimAll(Connection connection, Map<RowKey, InboxMessage> messages) throws SQLException {
        Map<RowKey, Claim> answers = new HashMap<>(ordinary.claimAll(connection, messages));
        Map<RowKey, InboxMessage> rest = new LinkedHashMap<>();
        messages.forEach((key, message) -> {
            if (!isDecided(answers.getOrDefault(key, Claim.NEW), message)) {
                answers.put(key, Claim.NEW);
                rest.put(key, message);
            }
        });
        answers.putAll(claimInRun(connection, rest));
        return answers;
    }

    @Override
    public Map<Integer, Claim> claimByPosition(
            Connection connection, ConsumerIds consumers, List<InboxMessage> messages) throws SQLException {
        Map<Integer, Claim> answers = new HashMap<>(ordinary.claimByPosition(connection, consumers, messages));
        Map<RowKey, InboxMessage> rest = new LinkedHashMap<>();
        Map<RowKey, Integer> places = new HashMap<>();
        for (int i = 0; i < messages.size(); i++) {
            InboxMessage message = messages.get(i);
            if (message.id() == null
                    && message.position() != null
                    && !answers.getOrDefault(i, Claim.NEW).isUndecided()) {
                RowKey key = new RowKey(consumers.of(message.consumer()), keyOf(message));
                if (places.putIfAbsent(key, i) == null) {
                    answers.put(i, Claim.NEW);
                    rest.put(key, message);
                }
            }
        }
        claimInRun(connection, rest).forEach((key, claim) -> {
            Integer place = places.get(key);
            if (place != null) {
                answers.put(place, claim);
            }
        });
        return answers;
    }

    /** Whether the run has no say: the consumer is gone, or the message has the id of another one. */
    private static boolean isDecided(Claim claim, InboxMessage message) {
        KnownMessage known = claim.known();
        return claim.isUndecided() || (known != null && known.isOtherThan(message));
    }

    private static UUID keyOf(InboxMessage message) {
        return message.id() == null
                ? MessageKey.of(POSITION_SCOPE, String.valueOf(message.position()))
                : MessageKey.of(message);
    }

    /** Claims in the run, and gives the answer for those that it has handled before. */
    private Map<RowKey, Claim> claimInRun(Connection connection, Map<RowKey, InboxMessage> messages)
            throws SQLException {
        List<RowKey> before = new ArrayList<>();
        if (!messages.isEmpty()) {
            List<RowKey> keys = List.copyOf(messages.keySet());
            List<@Nullable Position> positions = new ArrayList<>();
            keys.forEach(key -> positions.add(positionOf(messages, key)));
            try (PreparedStatement statement = connection.prepareStatement(sql.claim)) {
                statement.setString(1, timeout);
                statement.setArray(2, array(connection, "integer", keys, RowKey::consumer));
                statement.setArray(3, array(connection, "uuid", keys, RowKey::message));
                statement.setArray(4, array(connection, "uuid", positions, p -> p == null ? null : p.source()));
                statement.setArray(5, array(connection, "integer", positions, p -> p == null ? null : p.partition()));
                statement.setArray(6, array(connection, "bigint", positions, p -> p == null ? null : p.offset()));
                statement.setInt(7, replay);
                statement.setObject(8, owner);
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        if (!row.getBoolean("is_new")) {
                            before.add(new RowKey(row.getInt("consumer_id"), row.getObject("message_key", UUID.class)));
                        }
                    }
                }
            }
        }
        Map<RowKey, Claim> answers = new HashMap<>();
        for (RowKey key : before) {
            answers.put(key, handled(connection, key));
        }
        return answers;
    }

    private static @Nullable Position positionOf(Map<RowKey, InboxMessage> messages, RowKey key) {
        InboxMessage message = messages.get(key);
        return message == null ? null : message.position();
    }

    private Claim handled(Connection connection, RowKey key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.handled)) {
            statement.setInt(1, replay);
            statement.setInt(2, key.consumer());
            statement.setObject(3, key.message());
            try (ResultSet row = statement.executeQuery()) {
                if (row.next()) {
                    return Claim.duplicate(KnownMessage.at(KnownMessage.readPosition(row)));
                }
            }
        }
        throw new IllegalStateException(
                "Another instance has taken the replay over. What this one was about to handle is left to it");
    }

    private static <T extends @Nullable Object> Array array(
            Connection connection, String type, List<T> elements, Function<T, @Nullable Object> part)
            throws SQLException {
        List<@Nullable Object> values = new ArrayList<>();
        elements.forEach(element -> values.add(part.apply(element)));
        return connection.createArrayOf(type, values.toArray());
    }
}
