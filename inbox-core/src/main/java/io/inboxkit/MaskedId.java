package io.inboxkit;

import org.jspecify.annotations.Nullable;

/** How an id is shown in logs and exceptions, which it must never break: masked, unless the user asks for it. */
public final class MaskedId {

    private static final int SHOWN = 4;
    private static final int HIDDEN_WHOLE = 8;
    private static final int END_SHOWN_FROM = 16;
    private static final String HIDDEN = "****";

    private MaskedId() {}

    /**
     * Enough of an id to compare two log lines, too little to use: four characters at each end, for ids of less than 16
     * characters those at the beginning only (time-ordered ids all begin alike), of up to 8 none. What could break a log
     * line is shown as a question mark.
     */
    public static String of(@Nullable String id) {
        if (id == null) {
            return "(no id)";
        }
        int length = id.length();
        if (length <= HIDDEN_WHOLE) {
            return HIDDEN;
        }
        String end = length < END_SHOWN_FROM ? "" : plain(id.substring(length - SHOWN));
        return plain(id.substring(0, SHOWN)) + HIDDEN + end;
    }

    /** The whole id for a log line, for users who ask for it. What could break the line is shown as a question mark. */
    public static String unmasked(@Nullable String id) {
        return id == null ? "(no id)" : plain(id.substring(0, Math.min(id.length(), MessageId.MAX_BYTES)));
    }

    static String plain(String text) {
        return text.replaceAll("[^\\x20-\\x7e]", "?");
    }
}
