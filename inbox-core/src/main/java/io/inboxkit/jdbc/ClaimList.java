package io.inboxkit.jdbc;

import io.inboxkit.InboxMessage;
import io.inboxkit.jdbc.Claims.Claim;
import io.inboxkit.jdbc.Claims.RowKey;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;

/** Messages that are claimed together. Not thread-safe: one for each call, usable for several attempts. */
final class ClaimList {

    private final List<InboxMessage> messages;
    private final Set<String> consumerNames = new LinkedHashSet<>();
    private final Map<InboxMessage, KnownMessage> duplicates = new LinkedHashMap<>();
    private final Map<InboxMessage, InboxMessage> others = new LinkedHashMap<>();

    ClaimList(List<InboxMessage> messages) {
        this.messages = List.copyOf(messages);
        for (InboxMessage message : messages) {
            Objects.requireNonNull(message.id(), "Only messages with an id can be claimed together");
            consumerNames.add(message.consumer());
        }
    }

    Set<String> consumers() {
        return consumerNames;
    }

    /** Claims all in one statement and gives those that are new, each once, in their order. */
    List<InboxMessage> claim(Claims claims, ConsumerIds consumers, InboxTransaction transaction) throws SQLException {
        duplicates.clear();
        others.clear();
        Map<RowKey, InboxMessage> byKey = keys(consumers);
        Map<RowKey, Claim> answers = claims.claimAll(transaction.connection(), byKey);
        if (answers.values().stream().anyMatch(Claim::isConsumerUnknown)) {
            // The next try, with the same list or another one, looks them up anew.
            consumerNames.forEach(consumers::evict);
            throw new IllegalStateException("A consumer was removed while it was in use: one of " + consumerNames);
        }
        List<InboxMessage> fresh = new ArrayList<>();
        byKey.forEach((key, message) -> {
            Claim claim = Objects.requireNonNull(answers.get(key));
            if (claim.isNew()) {
                fresh.add(message);
            } else if (claim.known() != null) {
                duplicates.put(message, claim.known());
            }
        });
        return fresh;
    }

    /** Those that have the id of an earlier one of the list, but are another message than that; each with the earlier one. */
    Map<InboxMessage, InboxMessage> others() {
        return others;
    }

    void duplicates(BiConsumer<InboxMessage, KnownMessage> action) {
        duplicates.forEach(action);
    }

    private Map<RowKey, InboxMessage> keys(ConsumerIds consumers) {
        Map<RowKey, InboxMessage> byKey = new LinkedHashMap<>();
        for (InboxMessage message : messages) {
            InboxMessage first =
                    byKey.putIfAbsent(new RowKey(consumers.of(message.consumer()), MessageKey.of(message)), message);
            if (first != null && KnownMessage.areOther(first, message)) {
                others.put(message, first);
            }
        }
        return byKey;
    }

    @Override
    public String toString() {
        return messages.size() + " messages of consumers " + consumerNames;
    }
}
