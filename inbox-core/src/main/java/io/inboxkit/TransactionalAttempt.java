package io.inboxkit;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An attempt that is one transaction, so that nothing of it is left if it fails. */
record TransactionalAttempt(InboxMessage message, int number) implements InboxAttempt {

    TransactionalAttempt {
        if (number < 1) {
            throw new IllegalArgumentException("The number of an attempt is 1 or more, but is " + number);
        }
    }

    @Override
    public String idempotencyKey() {
        String id = identity();
        byte[] consumer = measured(message.consumer());
        byte[] scope = measured(message.scope());
        byte[] name = measured(id);
        // The lengths keep "a", "bc" apart from "ab", "c".
        ByteBuffer digest =
                ByteBuffer.wrap(Sha256.digest(ByteBuffer.allocate(consumer.length + scope.length + name.length)
                        .put(consumer)
                        .put(scope)
                        .put(name)
                        .array()));
        long high = (digest.getLong() & 0xffff_ffff_ffff_0fffL) | 0x8000L;
        long low = (digest.getLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low).toString();
    }

    private String identity() {
        String id = message.id();
        if (id != null) {
            return id;
        }
        TrackedPosition tracked = message.tracked();
        if (tracked != null) {
            return "position:" + tracked.position();
        }
        throw new IllegalStateException(
                "The " + message + " has no id, so no key would be the same in its next attempt."
                        + " Let the producer set an id, or choose onMissingId = USE_POSITION or USE_FINGERPRINT");
    }

    private static byte[] measured(@Nullable String text) {
        if (text == null) {
            return ByteBuffer.allocate(Integer.BYTES).putInt(-1).array();
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Integer.BYTES + bytes.length)
                .putInt(bytes.length)
                .put(bytes)
                .array();
    }

    @Override
    public boolean mayHaveTakenEffect() {
        return false;
    }

    @Override
    public boolean expired() {
        return false;
    }

    @Override
    public boolean replay() {
        return message.route().isReplay();
    }

    @Override
    public void complete() {
        throw new IllegalStateException(
                "The " + message + " is handled in mode TRANSACTIONAL, where the commit after the handler"
                        + " has returned completes it. Remove the call of complete(), which is for mode LEASED");
    }
}
