package io.inboxkit.jdbc;

import io.inboxkit.InboxMessage;
import io.inboxkit.Position;
import io.inboxkit.TrackedPosition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Claims messages by advancing the position of their consumer beyond them, with one round trip for each partition. */
final class PositionClaims implements ClaimStrategy {

    private static final Logger LOG = LoggerFactory.getLogger("io.inboxkit.jdbc");

    private final PositionSql sql;
    private final String timeout;

    PositionClaims(PositionSql sql, Duration timeout) {
        this.sql = sql;
        this.timeout = timeout.toMillis() + "ms";
    }

    @Override
    public Claim claim(Connection connection, int consumer, InboxMessage message, boolean alone) throws SQLException {
        Map<Integer, Claim> answer = new HashMap<>();
        claimAll(connection, consumer, List.of(message), List.of(0), answer);
        return Objects.requireNonNull(answer.get(0));
    }

    /**
     * Claims those messages of a list that are known by their positions. Partitions are advanced in the order of the primary key,
     * so that two of these never wait for each other in a circle.
     *
     * @return the answers by the places of those messages
     */
    Map<Integer, Claim> claimAll(Connection connection, ConsumerIds consumers, List<InboxMessage> messages)
            throws SQLException {
        SortedMap<PartitionKey, List<Integer>> places = new TreeMap<>(PartitionKey.ORDER);
        for (int i = 0; i < messages.size(); i++) {
            TrackedPosition tracked = messages.get(i).tracked();
            if (tracked != null) {
                int consumer = consumers.of(messages.get(i).consumer());
                places.computeIfAbsent(PartitionKey.of(consumer, tracked.position()), key -> new ArrayList<>())
                        .add(i);
            }
        }
        Map<Integer, Claim> answers = new HashMap<>();
        for (Map.Entry<PartitionKey, List<Integer>> partition : places.entrySet()) {
            claimAll(connection, partition.getKey().consumer(), messages, partition.getValue(), answers);
        }
        return answers;
    }

    /** Claims the messages of one partition, in one statement that goes as far as the furthest of them. */
    private void claimAll(
            Connection connection,
            int consumer,
            List<InboxMessage> messages,
            List<Integer> places,
            Map<Integer, Claim> answers)
            throws SQLException {
        TrackedPosition furthest = tracked(messages.get(places.get(0)));
        for (int place : places) {
            TrackedPosition tracked = tracked(messages.get(place));
            if (Progress.after(tracked).isBeyond(Progress.after(furthest))) {
                furthest = tracked;
            }
        }
        Advance advance = advance(connection, consumer, furthest.position(), Progress.after(furthest));
        Set<Long> seen = new HashSet<>();
        boolean warned = false;
        for (int place : places) {
            TrackedPosition tracked = tracked(messages.get(place));
            if (advance == null) {
                answers.put(place, Claim.UNDECIDED);
            } else if (advance.passed(tracked) && seen.add(tracked.position().offset())) {
                warned = warned || warnOfTruncation(messages.get(place), tracked, advance.previous());
                answers.put(place, Claim.NEW);
            } else {
                tracked.confirm();
                answers.put(place, Claim.duplicate(KnownMessage.at(tracked.position())));
            }
        }
    }

    private static TrackedPosition tracked(InboxMessage message) {
        return Objects.requireNonNull(message.tracked(), "tracked");
    }

    private static boolean warnOfTruncation(
            InboxMessage message, TrackedPosition position, @Nullable Progress previous) {
        if (previous == null || !Progress.after(position).isAfterTruncation(previous)) {
            return false;
        }
        LOG.warn(
                "The {} is processed although its consumer has been at offset {} before: it has leader epoch {}, and what"
                        + " was processed last had {}, so the log was truncated by an unclean leader election and"
                        + " written anew. The effects of the messages that were cut off remain",
                message,
                previous.nextOffset(),
                position.leaderEpoch(),
                previous.leaderEpoch());
        return true;
    }

    /** Advances the position of a partition if it is behind; {@code null} if the consumer is not known. */
    private @Nullable Advance advance(Connection connection, int consumer, Position position, Progress progress)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.advance)) {
            statement.setString(1, timeout);
            statement.setInt(2, consumer);
            statement.setObject(3, position.source());
            statement.setInt(4, position.partition());
            statement.setLong(5, progress.nextOffset());
            if (progress.leaderEpoch() == null) {
                statement.setNull(6, Types.INTEGER);
            } else {
                statement.setInt(6, progress.leaderEpoch());
            }
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Advance.read(row) : null;
            }
        }
    }

    /**
     * What became of a position.
     *
     * @param previous where it was before it was advanced; {@code null} if there was none
     */
    private record Advance(boolean isAdvanced, @Nullable Progress previous) {

        static Advance read(ResultSet row) throws SQLException {
            Long offset = row.getObject("previous_offset", Long.class);
            return new Advance(
                    row.getBoolean("is_advanced"),
                    offset == null ? null : new Progress(offset, row.getObject("previous_epoch", Integer.class)));
        }

        /** Whether the position went over this message. */
        boolean passed(TrackedPosition message) {
            return isAdvanced && (previous == null || Progress.after(message).isBeyond(previous));
        }
    }

    /** The primary key. */
    private record PartitionKey(int consumer, UUID source, int partition) {

        static final Comparator<PartitionKey> ORDER = Comparator.comparingInt(PartitionKey::consumer)
                .thenComparing(PartitionKey::source)
                .thenComparingInt(PartitionKey::partition);

        static PartitionKey of(int consumer, Position position) {
            return new PartitionKey(consumer, position.source(), position.partition());
        }
    }
}
