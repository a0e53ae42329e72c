package io.inboxkit;

import java.util.HexFormat;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The id of a message in the one form in which ids are compared. Immutable.
 *
 * <p>An id is compared by its bytes: text is kept as it is, without trimming or folding, and bytes as the UTF-8 text they
 * are. Bytes that are no UTF-8 are kept as {@code hex:} and their hexadecimal digits; so is text with an unpaired
 * surrogate, which has no UTF-8 form. An id that is longer than {@value #MAX_BYTES} bytes, holds a NUL, or is a text that
 * itself begins with {@code hex:} or {@code sha256:}, is kept as {@code sha256:} and the digest of its bytes. So the form
 * has at most {@value #MAX_BYTES} bytes and no NUL, and different ids have different forms.
 */
public final class MessageId {

    /** How long the form can get, in UTF-8 bytes. */
    public static final int MAX_BYTES = 255;

    private static final String HEX = "hex:";
    private static final String SHA256 = "sha256:";

    private final String value;

    private MessageId(String value) {
        this.value = value;
    }

    /**
     * The id that a value stands for.
     *
     * <p>Values are text ({@code CharSequence}, {@code Character}), bytes ({@code byte[]}, {@code ByteBuffer}), a {@code UUID}
     * (as lower-case text) and numbers (in decimal, without an exponent). A number with a binary fraction is the shortest
     * decimal number that names it, so 0.1 is {@code 0.1}; whole numbers are exact whatever their type.
     *
     * @return {@code null} if the id is missing: {@code null}, empty or blank
     * @throws InvalidMessageIdException if the value is of any other type, or a number that is infinite, not a number or
     *     longer than 1000 digits
     */
    public static @Nullable MessageId of(@Nullable Object value) {
        return of(value, () -> "The id of the message");
    }

    /** The same; the origin begins the text of the exception. */
    static @Nullable MessageId of(@Nullable Object value, Supplier<String> origin) {
        byte[] bytes = IdValue.bytes(value, origin);
        return bytes == null ? null : new MessageId(form(bytes));
    }

    /** A new id for a new message, unlike any other: a UUID of version 7, so that ids are in the order of time. */
    public static MessageId next() {
        return new MessageId(TimeOrderedUuid.next().toString());
    }

    /**
     * The id that was sent as this text.
     *
     * @throws IllegalArgumentException if the text is blank, because a blank id is a missing id
     */
    public static MessageId ofText(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException(
                    "A blank text is no message id: a message with a blank id counts as one without an id");
        }
        return new MessageId(form(Utf8.encode(text)));
    }

    static MessageId ofBytes(byte[] bytes) {
        return new MessageId(form(bytes));
    }

    private static String form(byte[] bytes) {
        String text = Utf8.decode(bytes);
        if (text == null) {
            return HEX.length() + 2 * bytes.length > MAX_BYTES ? digest(bytes) : HEX + hex(bytes);
        }
        boolean asItIs = bytes.length <= MAX_BYTES
                && text.indexOf('\0') < 0
                && !text.startsWith(HEX)
                && !text.startsWith(SHA256);
        return asItIs ? text : digest(bytes);
    }

    private static String digest(byte[] bytes) {
        return SHA256 + hex(Sha256.digest(bytes));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    /** The form in which ids are compared. */
    public String value() {
        return value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MessageId id && value.equals(id.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    /** The masked id. */
    @Override
    public String toString() {
        return MaskedId.of(value);
    }
}
