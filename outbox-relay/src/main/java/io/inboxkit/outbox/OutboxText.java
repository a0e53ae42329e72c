package io.inboxkit.outbox;

/** Texts that PostgreSQL can keep and UTF-8 can carry: all but those with a NUL or half a surrogate pair. */
final class OutboxText {

    private OutboxText() {}

    /** Refused before SQL, since an error of the database would break the business transaction. */
    static String require(String text, String what) {
        if (text.indexOf('\0') >= 0) {
            throw new InvalidOutboxMessageException(what + " contains a NUL character", "Remove it, or send bytes");
        }
        if (text.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
            throw new InvalidOutboxMessageException(
                    what + " contains an unpaired surrogate, which has no UTF-8 form",
                    "Repair the text, or send bytes");
        }
        return text;
    }
}
