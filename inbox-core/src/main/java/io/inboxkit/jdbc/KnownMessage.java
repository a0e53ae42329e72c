package io.inboxkit.jdbc;

import io.inboxkit.InboxMessage;
import io.inboxkit.Position;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the table holds of a message that was claimed before. */
final class KnownMessage {

    private final @Nullable Instant processedAt;
    private final byte @Nullable [] fingerprint;
    private final @Nullable Position position;

    private KnownMessage(@Nullable Instant processedAt, byte @Nullable [] fingerprint, @Nullable Position position) {
        this.processedAt = processedAt;
        this.fingerprint = fingerprint;
        this.position = position;
    }

    /** Reads the columns of these names, or gives {@code null} where no row was joined. */
    static @Nullable KnownMessage read(ResultSet row) throws SQLException {
        OffsetDateTime processedAt = row.getObject("processed_at", OffsetDateTime.class);
        return processedAt == null
                ? null
                : new KnownMessage(processedAt.toInstant(), row.getBytes("fingerprint"), readPosition(row));
    }

    /** A message of which nothing is kept but that its consumer has come beyond this position. */
    static KnownMessage at(@Nullable Position position) {
        return new KnownMessage(null, null, position);
    }

    static @Nullable Position readPosition(ResultSet row) throws SQLException {
        UUID source = row.getObject("source_id", UUID.class);
        return source == null
                ? null
                : new Position(source, row.getInt("source_partition"), row.getLong("source_offset"));
    }

    /**
     * Whether the message that is delivered now is another one than this, although it has the same id. The same position is
     * the same message without a look at the fingerprints; without two fingerprints nothing can be told.
     */
    boolean isOtherThan(InboxMessage message) {
        return areOther(position, fingerprint, message);
    }

    /** The same question about two messages of one list. */
    static boolean areOther(InboxMessage first, InboxMessage second) {
        return areOther(first.position(), first.fingerprint(), second);
    }

    private static boolean areOther(@Nullable Position position, byte @Nullable [] fingerprint, InboxMessage message) {
        if (position != null && position.equals(message.position())) {
            return false;
        }
        byte[] theirs = message.fingerprint();
        return fingerprint != null && theirs != null && !Arrays.equals(fingerprint, theirs);
    }

    /** When the message was claimed, by the clock of the database; {@code null} if only its position is known. */
    @Nullable
    Instant processedAt() {
        return processedAt;
    }

    /** Where its first delivery stood, or {@code null}. */
    @Nullable
    Position position() {
        return position;
    }
}
