package io.inboxkit;

import org.jspecify.annotations.Nullable;

/** How an id is shown where it must not be told: enough to compare two log lines, too little to use. */
public final class MaskedId {

    private MaskedId() {}

    /**
     * The id with all but its first four characters hidden; ids of up to eight characters are hidden whole. Characters that
     * could break a log line are hidden as well.
     */
    public static String of(@Nullable String id) {
        if (id == null) {
            return "(no id)";
        }
        if (id.length() <= 8) {
            return "****";
        }
        return id.substring(0, 4).replaceAll("[^\\x21-\\x7e]", "?") + "****";
    }
}
