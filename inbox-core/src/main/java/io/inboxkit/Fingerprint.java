package io.inboxkit;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/** The SHA-256 of a payload: what tells a redelivered message from another one under the same id. */
public final class Fingerprint {

    private final byte[] digest;

    private Fingerprint(byte[] digest) {
        this.digest = digest;
    }

    /** STUB, being replaced. */
    public static @Nullable Fingerprint of(byte @Nullable [] payload, FingerprintMode mode) {
        try {
            return new Fingerprint(
                    MessageDigest.getInstance("SHA-256").digest(payload == null ? new byte[0] : payload));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    public byte[] toBytes() {
        return digest.clone();
    }
}
