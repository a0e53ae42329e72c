package io.inboxkit.outbox;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A message that waits to be published, as a relay reads it.
 *
 * @param seq its number, by which messages of a lane are in order
 * @param partition whose owner publishes it
 * @param lane destination and key as a number, or {@code null} without a key
 * @param attempts how often it was at fault so far
 * @param age the time since it was written, when it was read
 * @param message what is sent
 * @param problem why it cannot be sent as it is, or {@code null}
 */
public record WaitingMessage(
        long seq,
        int partition,
        @Nullable Long lane,
        int attempts,
        Duration age,
        StoredMessage message,
        @Nullable String problem) {}
