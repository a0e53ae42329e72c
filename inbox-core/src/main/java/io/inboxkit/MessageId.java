package io.inboxkit;

import org.jspecify.annotations.Nullable;

/** The id of a message in the one form in which ids are compared. STUB, being replaced. */
public final class MessageId {

    private final String value;

    private MessageId(String value) {
        this.value = value;
    }

    /** The id that a transport's value stands for, or {@code null} if the value is none (null, blank, empty). */
    public static @Nullable MessageId of(@Nullable Object value) {
        return value == null || value.toString().isBlank() ? null : new MessageId(value.toString());
    }

    /** The id as text, as it was sent. */
    public static MessageId ofText(String text) {
        return new MessageId(text);
    }

    /** The form in which ids are compared. */
    public String value() {
        return value;
    }

    /** The masked id. */
    @Override
    public String toString() {
        return MaskedId.of(value);
    }
}
