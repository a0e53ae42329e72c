package io.inboxkit.jdbc;

import io.inboxkit.Position;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/** The three parameters, with their types, that a position is in a statement. */
final class SourceParameters {

    private SourceParameters() {}

    static void bind(PreparedStatement statement, int first, @Nullable Position position) throws SQLException {
        if (position == null) {
            statement.setNull(first, Types.OTHER);
            statement.setNull(first + 1, Types.INTEGER);
            statement.setNull(first + 2, Types.BIGINT);
        } else {
            statement.setObject(first, position.source());
            statement.setInt(first + 1, position.partition());
            statement.setLong(first + 2, position.offset());
        }
    }
}
