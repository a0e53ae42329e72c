package io.inboxkit;

import org.jspecify.annotations.Nullable;

/** The strings of canonical JSON (RFC 8785, section 3.2.2.2). */
final class CanonicalString {

    private static final String ESCAPES = "\"\\/bfnrt";
    private static final String ESCAPED = "\"\\/\b\f\n\r\t";
    private static final int UNICODE_DIGITS = 4;
    private static final int HEX = 16;

    private CanonicalString() {}

    /** Whether a character stands for itself, in JSON of any kind and without a further look. */
    static boolean isPlain(char c) {
        return c >= ' ' && c < '\u007f' && c != '"' && c != '\\';
    }

    /** Where the closing quote is, looking from a position inside of the string; -1 if there is none. */
    static int end(String json, int from) {
        int i = from;
        while (i < json.length() && json.charAt(i) != '"') {
            i += json.charAt(i) == '\\' ? 2 : 1;
        }
        return i < json.length() ? i : -1;
    }

    /** The text of a string, or {@code null} if it is not I-JSON. */
    static @Nullable String read(String json, int start, int end) {
        StringBuilder text = new StringBuilder(end - start);
        for (int i = start; i < end; i++) {
            char c = json.charAt(i);
            if (c < ' ') {
                return null;
            }
            if (c == '\\') {
                char escape = json.charAt(++i);
                if (escape == 'u') {
                    int unit = unicode(json, i + 1, end);
                    if (unit < 0) {
                        return null;
                    }
                    text.append((char) unit);
                    i += UNICODE_DIGITS;
                    continue;
                }
                int known = ESCAPES.indexOf(escape);
                if (known < 0) {
                    return null;
                }
                c = ESCAPED.charAt(known);
            }
            text.append(c);
        }
        return text.codePoints().allMatch(CanonicalString::isCharacter) ? text.toString() : null;
    }

    private static int unicode(String json, int start, int end) {
        if (start + UNICODE_DIGITS > end) {
            return -1;
        }
        int unit = 0;
        for (int i = start; i < start + UNICODE_DIGITS; i++) {
            char c = json.charAt(i);
            // Character.digit alone would take the digits of other scripts as well.
            int digit = c < '\u007f' ? Character.digit(c, HEX) : -1;
            if (digit < 0) {
                return -1;
            }
            unit = unit * HEX + digit;
        }
        return unit;
    }

    /** I-JSON has neither unpaired surrogates nor noncharacters. */
    private static boolean isCharacter(int codePoint) {
        return !Utf8.isSurrogate(codePoint)
                && (codePoint & 0xFFFE) != 0xFFFE
                && (codePoint < 0xFDD0 || codePoint > 0xFDEF);
    }

    static void write(String text, StringBuilder canonical) {
        canonical.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int escape = c == '/' ? -1 : ESCAPED.indexOf(c);
            if (escape >= 0) {
                canonical.append('\\').append(ESCAPES.charAt(escape));
            } else if (c < ' ') {
                canonical
                        .append("\\u00")
                        .append(Character.forDigit(c >> 4, HEX))
                        .append(Character.forDigit(c & 0xF, HEX));
            } else {
                canonical.append(c);
            }
        }
        canonical.append('"');
    }
}
