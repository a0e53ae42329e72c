package io.inboxkit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Canonical JSON (RFC 8785) of objects and arrays that are I-JSON (RFC 7493). One pass: what is read is written at once, and
 * an object whose names turn out not to be in order is put in order when it ends.
 */
final class CanonicalJson {

    /** Deeper payloads are not canonicalised, so that no payload can exhaust the stack. */
    static final int MAX_DEPTH = 200;

    private final String json;
    private final StringBuilder canonical;
    private int position;
    private int depth;

    private CanonicalJson(String json) {
        this.json = json;
        this.canonical = new StringBuilder(json.length());
    }

    /** The canonical form, or {@code null} if the payload does not begin with a bracket or is not I-JSON. */
    static byte @Nullable [] of(byte[] payload) {
        if (payload.length == 0 || (payload[0] != '{' && payload[0] != '[')) {
            return null;
        }
        String json = Utf8.decode(payload);
        if (json == null) {
            return null;
        }
        CanonicalJson document = new CanonicalJson(json);
        return document.value() && document.atEnd()
                ? document.canonical.toString().getBytes(StandardCharsets.UTF_8)
                : null;
    }

    /** What follows the position, skipping it if it is the expected character. */
    private boolean skip(char expected) {
        if (position < json.length() && json.charAt(position) == expected) {
            position++;
            return true;
        }
        return false;
    }

    private void skipSpace() {
        while (position < json.length() && isSpace(json.charAt(position))) {
            position++;
        }
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }

    private boolean atEnd() {
        skipSpace();
        return position == json.length();
    }

    /** Reads and writes a value. Like the methods it calls, it gives false if there is none that is I-JSON. */
    private boolean value() {
        skipSpace();
        if (position == json.length()) {
            return false;
        }
        return switch (json.charAt(position)) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string() != null;
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            default -> number();
        };
    }

    private boolean literal(String literal) {
        if (!json.startsWith(literal, position)) {
            return false;
        }
        position += literal.length();
        canonical.append(literal);
        return true;
    }

    private boolean array() {
        position++;
        canonical.append('[');
        if (++depth > MAX_DEPTH) {
            return false;
        }
        skipSpace();
        if (!skip(']')) {
            do {
                if (!value()) {
                    return false;
                }
                skipSpace();
                canonical.append(',');
            } while (skip(','));
            canonical.setLength(canonical.length() - 1);
            if (!skip(']')) {
                return false;
            }
        }
        depth--;
        canonical.append(']');
        return true;
    }

    /** Where a name and its value are in the canonical text, with the comma behind them. */
    private record Member(String name, int start, int end) {}

    private boolean object() {
        position++;
        canonical.append('{');
        if (++depth > MAX_DEPTH) {
            return false;
        }
        skipSpace();
        if (!skip('}')) {
            List<Member> members = new ArrayList<>();
            do {
                Member member = member();
                if (member == null) {
                    return false;
                }
                members.add(member);
            } while (skip(','));
            if (!skip('}') || !sort(members)) {
                return false;
            }
            canonical.setLength(canonical.length() - 1);
        }
        depth--;
        canonical.append('}');
        return true;
    }

    private @Nullable Member member() {
        int start = canonical.length();
        skipSpace();
        String name = string();
        skipSpace();
        if (name == null || !skip(':')) {
            return null;
        }
        canonical.append(':');
        if (!value()) {
            return null;
        }
        skipSpace();
        canonical.append(',');
        return new Member(name, start, canonical.length());
    }

    /** Puts the members in the order of their names' UTF-16 code units; false if a name is there twice. */
    private boolean sort(List<Member> members) {
        boolean ordered = true;
        for (int i = 1; i < members.size() && ordered; i++) {
            ordered = members.get(i - 1).name().compareTo(members.get(i).name()) < 0;
        }
        if (ordered) {
            return true;
        }
        int start = members.get(0).start();
        members.sort(Comparator.comparing(Member::name));
        StringBuilder sorted = new StringBuilder(canonical.length() - start);
        for (int i = 0; i < members.size(); i++) {
            Member member = members.get(i);
            if (i > 0 && members.get(i - 1).name().equals(member.name())) {
                return false;
            }
            sorted.append(canonical.substring(member.start(), member.end()));
        }
        canonical.setLength(start);
        canonical.append(sorted);
        return true;
    }

    /** Reads and writes a string, and gives its text; {@code null} if there is none. */
    private @Nullable String string() {
        if (!skip('"')) {
            return null;
        }
        int start = position;
        int end = start;
        while (end < json.length() && CanonicalString.isPlain(json.charAt(end))) {
            end++;
        }
        if (end < json.length() && json.charAt(end) == '"') {
            position = end + 1;
            // Copied at once; append(json, start, end) would go character by character.
            String text = json.substring(start, end);
            canonical.append('"').append(text).append('"');
            return text;
        }
        end = CanonicalString.end(json, end);
        String text = end < 0 ? null : CanonicalString.read(json, start, end);
        if (text != null) {
            position = end + 1;
            CanonicalString.write(text, canonical);
        }
        return text;
    }

    private boolean number() {
        int start = position;
        skip('-');
        if (!skip('0') && !digits()) {
            return false;
        }
        if (skip('.') && !digits()) {
            return false;
        }
        if (skip('e') || skip('E')) {
            if (!skip('+')) {
                skip('-');
            }
            if (!digits()) {
                return false;
            }
        }
        String number = CanonicalNumber.of(json.substring(start, position));
        canonical.append(number);
        return number != null;
    }

    private boolean digits() {
        int start = position;
        while (position < json.length() && json.charAt(position) >= '0' && json.charAt(position) <= '9') {
            position++;
        }
        return position > start;
    }
}
