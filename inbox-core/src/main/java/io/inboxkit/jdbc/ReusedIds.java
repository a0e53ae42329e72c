package io.inboxkit.jdbc;

import io.inboxkit.ClaimedMessages.Refusal;
import io.inboxkit.InboxMessage;
import io.inboxkit.ReusedIdPolicy;
import io.inboxkit.ReusedMessageIdException;
import io.inboxkit.jdbc.ClaimList.Duplicate;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Refuses messages that have the id of another message.
 *
 * @param logMessageIds whether ids are shown as they are
 */
record ReusedIds(boolean logMessageIds) {

    private static final String REMEDY =
            ". It was not handed to the handler. A producer must give each message an id of its"
                    + " own; a correction needs a new id, or the old one must be forgotten first";

    void refuse(InboxMessage message, KnownMessage known, ReusedIdPolicy policy) {
        if (policy == ReusedIdPolicy.REJECT && known.isOtherThan(message)) {
            throw refusal(message, known);
        }
    }

    /** The first message of a list that must not be handled, or {@code null} if there is none. */
    @Nullable
    Refusal first(ClaimList list, ReusedIdPolicy policy) {
        if (policy != ReusedIdPolicy.REJECT) {
            return null;
        }
        for (Map.Entry<Integer, Duplicate> entry : list.duplicates().entrySet()) {
            Duplicate duplicate = entry.getValue();
            if (duplicate.isOther()) {
                return new Refusal(entry.getKey(), refusal(duplicate.message(), duplicate.known()));
            }
        }
        return null;
    }

    private ReusedMessageIdException refusal(InboxMessage message, @Nullable KnownMessage known) {
        String before = known == null
                ? "an earlier message of its list"
                : "a message that was processed at " + known.processedAt();
        return new ReusedMessageIdException(
                "The " + nameOf(message) + " has the id of " + before + ", but another payload" + REMEDY);
    }

    /** What messages for humans call it; made into text only when it is needed. */
    Object nameOf(InboxMessage message) {
        return logMessageIds ? message.describe(true) : message;
    }
}
