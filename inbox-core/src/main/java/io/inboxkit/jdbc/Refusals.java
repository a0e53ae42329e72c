package io.inboxkit.jdbc;

import io.inboxkit.ClaimedMessages.Refusal;
import io.inboxkit.InboxMessage;
import io.inboxkit.RejectedMessageException;
import io.inboxkit.ReusedIdPolicy;
import io.inboxkit.ReusedMessageIdException;
import io.inboxkit.StaleAction;
import io.inboxkit.StaleMessageException;
import io.inboxkit.jdbc.ClaimList.Duplicate;
import io.inboxkit.jdbc.ClaimStrategy.Claim;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Refuses messages that have the id of another message, or are older than the memory of their consumer.
 *
 * @param staleAction whether the latter are refused
 * @param logMessageIds whether ids are shown as they are
 */
record Refusals(StaleAction staleAction, boolean logMessageIds) {

    private static final String NOT_HANDED_ON = ". It was not handed to the handler. ";

    /** Throws if a message whose claim was in vain must be refused and not only skipped. */
    void refuse(InboxMessage message, Claim claim, ReusedIdPolicy policy) {
        RejectedMessageException reason = reason(message, claim.isStale(), claim.known(), null, policy);
        if (reason != null) {
            throw reason;
        }
    }

    /** The first message of a list that must not be handled, or {@code null} if there is none. */
    @Nullable
    Refusal first(ClaimList list, ReusedIdPolicy policy) {
        for (Map.Entry<Integer, Duplicate> entry : list.duplicates().entrySet()) {
            Duplicate duplicate = entry.getValue();
            RejectedMessageException reason =
                    reason(duplicate.message(), duplicate.stale(), duplicate.known(), duplicate.twin(), policy);
            if (reason != null) {
                return new Refusal(entry.getKey(), reason);
            }
        }
        return null;
    }

    private @Nullable RejectedMessageException reason(
            InboxMessage message,
            boolean stale,
            @Nullable KnownMessage known,
            @Nullable InboxMessage twin,
            ReusedIdPolicy policy) {
        if (stale) {
            return staleAction == StaleAction.REJECT ? stale(message) : null;
        }
        boolean other =
                (known != null && known.isOtherThan(message)) || (twin != null && KnownMessage.areOther(twin, message));
        return other && policy == ReusedIdPolicy.REJECT ? reused(message, known) : null;
    }

    private ReusedMessageIdException reused(InboxMessage message, @Nullable KnownMessage known) {
        String before = known == null
                ? "an earlier message of its list"
                : "a message that was processed at " + known.processedAt();
        return new ReusedMessageIdException("The " + nameOf(message) + " has the id of " + before
                + ", but another payload" + NOT_HANDED_ON + "A producer must give each message an id of its"
                + " own; a correction needs a new id, or the old one must be forgotten first");
    }

    private StaleMessageException stale(InboxMessage message) {
        return new StaleMessageException("The " + nameOf(message)
                + " is not known, but stands at or below a position up to"
                + " which the ids of its consumer have been purged, so it cannot be told whether it was processed"
                + NOT_HANDED_ON + "To have it processed all the same, replay it with REPROCESS, or deliver it with"
                + " inbox.stale.action=PROCESS; a longer retention keeps ids longer");
    }

    /** What messages for humans call it; made into text only when it is needed. */
    Object nameOf(InboxMessage message) {
        return logMessageIds ? message.describe(true) : message;
    }
}
