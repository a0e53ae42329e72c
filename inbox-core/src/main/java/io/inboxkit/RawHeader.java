package io.inboxkit;

import org.jspecify.annotations.Nullable;

/**
 * A header as the transport delivered it.
 *
 * @param name its name, as it was sent
 * @param value its value, of any type
 */
public record RawHeader(String name, @Nullable Object value) {

    /** The name alone: a value may be the id, or a secret. */
    @Override
    public String toString() {
        return "header '" + MaskedId.plain(name) + "'";
    }
}
