package io.inboxkit;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The SHA-256 of a payload: what tells a redelivered message from another one under the same id. Immutable.
 */
public final class Fingerprint {

    /** Nobody knows a payload whose digest this is, so no payload can pass for a tombstone. */
    private static final Fingerprint TOMBSTONE = new Fingerprint(new byte[32]);

    private final byte[] digest;

    private Fingerprint(byte[] digest) {
        this.digest = digest;
    }

    /**
     * The fingerprint of a payload.
     *
     * <p>With {@link FingerprintMode#PAYLOAD} a payload whose first byte is <code>{</code> or {@code [} and that is I-JSON (RFC
     * 7493) is taken in its canonical form (RFC 8785), so that the order of properties, spaces and the spelling of numbers and
     * strings make no difference. I-JSON has no name twice in an object and only numbers that survive as a double; up to 200
     * levels are read. Any other payload is taken as its bytes.
     *
     * @param payload the payload as it was on the wire; {@code null} for a tombstone, which has a fingerprint of its own
     * @return {@code null} if the mode is {@link FingerprintMode#NONE}
     */
    public static @Nullable Fingerprint of(byte @Nullable [] payload, FingerprintMode mode) {
        if (mode == FingerprintMode.NONE) {
            return null;
        }
        if (payload == null) {
            return TOMBSTONE;
        }
        byte[] canonical = mode == FingerprintMode.PAYLOAD ? CanonicalJson.of(payload) : null;
        return new Fingerprint(Sha256.digest(canonical == null ? payload : canonical));
    }

    /** The digest, 32 bytes. */
    public byte[] toBytes() {
        return digest.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Fingerprint fingerprint && Arrays.equals(digest, fingerprint.digest);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(digest);
    }
}
