package io.inboxkit.outbox;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which messages an operator means: those that match all that is given.
 *
 * @param ids one of these ids; empty for any
 * @param destination this destination, or {@code null} for any
 * @param key this key, as UTF-8, or {@code null} for any
 * @param reason a part of the error, or {@code null} for any
 */
public record MessageFilter(
        List<String> ids, @Nullable String destination, @Nullable String key, @Nullable String reason) {

    public MessageFilter {
        ids = List.copyOf(ids);
    }

    /** All messages. */
    public static MessageFilter all() {
        return new MessageFilter(List.of(), null, null, null);
    }
}
