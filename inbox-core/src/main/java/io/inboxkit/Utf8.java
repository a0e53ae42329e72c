package io.inboxkit;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Text and its bytes without the replacement characters by which Java makes different bytes, or texts, equal. */
final class Utf8 {

    private static final char REPLACEMENT = '\uFFFD';

    private Utf8() {}

    /** The text that the bytes are the UTF-8 form of, or {@code null} if they are none. */
    static @Nullable String decode(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        // Malformed bytes always leave a replacement character, and encode back to other bytes than they were.
        return text.indexOf(REPLACEMENT) < 0 || Arrays.equals(bytes, text.getBytes(StandardCharsets.UTF_8))
                ? text
                : null;
    }

    /**
     * The bytes of a text. An unpaired surrogate, which has no UTF-8 form, becomes the three bytes that its number would have
     * (as in WTF-8), so that different texts have different bytes; {@link #decode} refuses them.
     */
    static byte[] encode(String text) {
        if (text.chars().noneMatch(Utf8::isSurrogate)) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        text.codePoints().forEach(codePoint -> {
            if (isSurrogate(codePoint)) {
                bytes.write(0xE0 | (codePoint >> 12));
                bytes.write(0x80 | ((codePoint >> 6) & 0x3F));
                bytes.write(0x80 | (codePoint & 0x3F));
            } else {
                bytes.writeBytes(Character.toString(codePoint).getBytes(StandardCharsets.UTF_8));
            }
        });
        return bytes.toByteArray();
    }

    static boolean isSurrogate(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }
}
