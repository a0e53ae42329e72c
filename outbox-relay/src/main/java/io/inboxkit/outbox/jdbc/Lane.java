package io.inboxkit.outbox.jdbc;

import io.inboxkit.outbox.Destination;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * What is published in order: one destination and key. Its number is the beginning of a SHA-256, so two keys share one only by
 * an accident that does no harm: they wait for each other.
 *
 * @param number the number, or {@code null} without a key
 * @param partition the partition, of which one relay at a time is the owner
 */
record Lane(@Nullable Long number, int partition) {

    /** As many as V1__outbox.sql knows. */
    static final int PARTITIONS = 32;

    static Lane of(Destination destination, byte @Nullable [] key) {
        if (key == null) {
            return new Lane(null, ThreadLocalRandom.current().nextInt(PARTITIONS));
        }
        MessageDigest digest = sha256();
        digest.update(destination.toString().getBytes(StandardCharsets.UTF_8));
        // Ends the destination: no address contains a zero byte.
        digest.update((byte) 0);
        long number = ByteBuffer.wrap(digest.digest(key)).getLong();
        return new Lane(number, Math.floorMod(number, PARTITIONS));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
