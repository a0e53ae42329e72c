package io.inboxkit.outbox;

import java.security.SecureRandom;
import java.util.UUID;

/**
 * New ids: UUIDs of version 7 (RFC 9562), whose order in time keeps the index of the consumer's inbox small. Thread-safe.
 */
public final class MessageIds {

    private static final SecureRandom RANDOM = new SecureRandom();

    private MessageIds() {}

    /** A new id, unlike any other. */
    public static UUID next() {
        byte[] random = new byte[10];
        RANDOM.nextBytes(random);
        long low = 0;
        for (int i = 2; i < 10; i++) {
            low = (low << 8) | (random[i] & 0xFF);
        }
        long millis = System.currentTimeMillis();
        int randomA = ((random[0] & 0x0F) << 8) | (random[1] & 0xFF);
        return new UUID((millis << 16) | 0x7000L | randomA, (low & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L);
    }
}
