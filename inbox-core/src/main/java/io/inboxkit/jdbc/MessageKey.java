package io.inboxkit.jdbc;

import io.inboxkit.InboxMessage;
import io.inboxkit.Position;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The 16 bytes under which a message is kept.
 *
 * <p>An id that is a UUID in its usual lower-case form, without a scope, is kept as it is: time-ordered ids then stay in order,
 * which spares the index and the write-ahead log. Everything else becomes a UUID of version 8 (RFC 9562, custom) made of the
 * SHA-256 of scope and id. A UUID that is itself of version 8 is digested as well, so that no id can be chosen that
 * equals the digest of another one.
 */
final class MessageKey {

    private static final String UUID_HYPHENS = "        -    -    -    -            ";

    // In the place of the length of a scope.
    private static final int NO_SCOPE = -1;
    private static final int POSITION = -2;

    private MessageKey() {}

    /** The key of a message that has an id. */
    static UUID of(InboxMessage message) {
        return of(message.scope(), Objects.requireNonNull(message.id(), "id"));
    }

    /** The key of a message that has no id of its own, which is none of any id. */
    static UUID of(Position position) {
        MessageDigest sha256 = sha256();
        sha256.update(ByteBuffer.allocate(4 * Long.BYTES)
                .putInt(POSITION)
                .putLong(position.source().getMostSignificantBits())
                .putLong(position.source().getLeastSignificantBits())
                .putInt(position.partition())
                .putLong(position.offset())
                .array());
        return uuid(sha256.digest());
    }

    static UUID of(@Nullable String scope, String id) {
        if (scope == null && isUuid(id)) {
            UUID uuid = UUID.fromString(id);
            if (uuid.version() != 8) {
                return uuid;
            }
        }
        return digest(scope, id);
    }

    /** Not by a regular expression, and not by parsing, which takes other spellings for UUIDs as well. */
    private static boolean isUuid(String id) {
        if (id.length() != UUID_HYPHENS.length()) {
            return false;
        }
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            boolean expected = UUID_HYPHENS.charAt(i) == '-' ? c == '-' : isLowerCaseHex(c);
            if (!expected) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLowerCaseHex(char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    }

    private static UUID digest(@Nullable String scope, String id) {
        MessageDigest sha256 = sha256();
        if (scope != null) {
            // The length keeps scope "a", id "bc" apart from scope "ab", id "c".
            byte[] bytes = scope.getBytes(StandardCharsets.UTF_8);
            sha256.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
            sha256.update(bytes);
        } else {
            sha256.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, NO_SCOPE));
        }
        return uuid(sha256.digest(id.getBytes(StandardCharsets.UTF_8)));
    }

    private static UUID uuid(byte[] bytes) {
        ByteBuffer digest = ByteBuffer.wrap(bytes);
        long high = (digest.getLong() & 0xffff_ffff_ffff_0fffL) | 0x8000L;
        long low = (digest.getLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
