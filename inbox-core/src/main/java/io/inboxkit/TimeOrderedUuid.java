package io.inboxkit;

import java.security.SecureRandom;
import java.util.UUID;

/** UUIDs of version 7 (RFC 9562): milliseconds and 74 random bits. Their order in time keeps the index of an inbox small. */
final class TimeOrderedUuid {

    private static final SecureRandom RANDOM = new SecureRandom();

    private TimeOrderedUuid() {}

    static UUID next() {
        long high = (System.currentTimeMillis() << 16) | 0x7000L | (RANDOM.nextLong() & 0xfffL);
        long low = (RANDOM.nextLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }
}
