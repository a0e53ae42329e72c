package io.inboxkit.jdbc;

import io.inboxkit.InboxMessage;
import io.inboxkit.Position;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What is known of messages, without claiming any; one statement for all of them. */
public final class ReplayLookup {

    private final ReplaySql sql;

    ReplayLookup(ReplaySql sql) {
        this.sql = sql;
    }

    /** The answers in the order of the messages; one without an id is missing. */
    List<Answer> find(Connection connection, List<InboxMessage> messages) throws SQLException {
        List<Answer> answers = new ArrayList<>(Collections.nCopies(messages.size(), Answer.MISSING));
        try (PreparedStatement statement = connection.prepareStatement(sql.lookUp)) {
            statement.setArray(1, array(connection, "text", messages, InboxMessage::consumer));
            statement.setArray(
                    2,
                    array(
                            connection,
                            "uuid",
                            messages,
                            message -> message.id() == null ? null : MessageKey.of(message)));
            statement.setArray(3, array(connection, "uuid", messages, at(Position::source)));
            statement.setArray(4, array(connection, "integer", messages, at(Position::partition)));
            statement.setArray(5, array(connection, "bigint", messages, at(Position::offset)));
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    int index = row.getInt("number") - 1;
                    answers.set(index, read(row, messages.get(index)));
                }
            }
        }
        return answers;
    }

    private static Answer read(ResultSet row, InboxMessage message) throws SQLException {
        KnownMessage known = KnownMessage.read(row);
        if (known != null) {
            return new Answer(known.isOtherThan(message) ? State.OTHER : State.PROCESSED, known.position());
        }
        if (row.getBoolean("is_open")) {
            return new Answer(State.OPEN, null);
        }
        return row.getBoolean("is_stale") ? new Answer(State.BELOW_FLOOR, null) : Answer.MISSING;
    }

    private static Function<InboxMessage, @Nullable Object> at(Function<Position, Object> part) {
        return message -> {
            Position position = message.position();
            return position == null ? null : part.apply(position);
        };
    }

    private static Array array(
            Connection connection,
            String type,
            List<InboxMessage> messages,
            Function<InboxMessage, @Nullable Object> part)
            throws SQLException {
        List<@Nullable Object> elements = new ArrayList<>(messages.size());
        messages.forEach(message -> elements.add(part.apply(message)));
        return connection.createArrayOf(type, elements.toArray());
    }

    /**
     * What is known of a message.
     *
     * @param first where the delivery that was processed stood, or {@code null}
     */
    public record Answer(State state, @Nullable Position first) {

        static final Answer MISSING = new Answer(State.MISSING, null);
    }

    /** What a message is to its consumer. */
    public enum State {
        PROCESSED,
        /** Its id was processed, but with another payload. */
        OTHER,
        /** It has failed or was refused, and waits. */
        OPEN,
        MISSING,
        /** It is unknown, and older than the memory of its consumer. */
        BELOW_FLOOR
    }
}
