package io.inboxkit;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Headers that are not the id of a message but look as if they were meant to be. */
final class NearMisses {

    /** A hostile message may have thousands, which must not fill the log. */
    private static final int MAX_HINTS = 5;

    private static final int MAX_NAME = 64;

    private NearMisses() {}

    static List<String> of(List<String> names, Iterable<RawHeader> headers) {
        Set<String> hints = new LinkedHashSet<>();
        for (RawHeader header : headers) {
            if (hints.size() == MAX_HINTS) {
                break;
            }
            for (String name : names) {
                String hint = hint(name, header.name());
                if (hint != null) {
                    hints.add(hint);
                    break;
                }
            }
        }
        return new ArrayList<>(hints);
    }

    private static @Nullable String hint(String name, String found) {
        if (found.equalsIgnoreCase(name)) {
            String source = CloudEvents.source(name);
            return "Header '" + shown(found) + "' is there but "
                    + (source == null ? "blank" : "blank, or without the header '" + source + "' that belongs to it");
        }
        return letters(found).equals(letters(name))
                ? "Header '" + shown(found) + "' is not '" + name + "', because names match without case only"
                : null;
    }

    private static String letters(String name) {
        return name.replaceAll("[^\\p{L}\\p{N}]", "").toLowerCase(Locale.ROOT);
    }

    private static String shown(String name) {
        return MaskedId.plain(name.length() > MAX_NAME ? name.substring(0, MAX_NAME) + "..." : name);
    }
}
