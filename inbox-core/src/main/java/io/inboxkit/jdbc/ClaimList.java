package io.inboxkit.jdbc;

import io.inboxkit.InboxMessage;
import io.inboxkit.Position;
import io.inboxkit.jdbc.ClaimStrategy.Claim;
import io.inboxkit.jdbc.Claims.RowKey;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Messages that are claimed together, each known by its place in the list. Not thread-safe: one for each call, usable for
 * several attempts.
 */
final class ClaimList {

    private final List<InboxMessage> messages;
    private final Set<String> consumerNames = new LinkedHashSet<>();
    private final List<Integer> fresh = new ArrayList<>();
    private final SortedMap<Integer, Duplicate> duplicates = new TreeMap<>();

    ClaimList(List<InboxMessage> messages) {
        this.messages = List.copyOf(messages);
        messages.forEach(message -> consumerNames.add(message.consumer()));
    }

    /**
     * A message that is not new.
     *
     * @param known what is stored of it, or {@code null} if its twin in the list is new
     * @param twin the first message of the list with its id, or {@code null} if it is the first itself
     * @param stale whether nothing is known of it, and it is older than the memory of its consumer
     */
    record Duplicate(InboxMessage message, @Nullable KnownMessage known, @Nullable InboxMessage twin, boolean stale) {

        /** Whether it is another message, although it has the same id. */
        boolean isOther() {
            return (known != null && known.isOtherThan(message))
                    || (twin != null && KnownMessage.areOther(twin, message));
        }

        /** Where the message stood that has the id, or {@code null} if that is not known. */
        @Nullable
        Position first() {
            if (known != null) {
                return known.position();
            }
            return twin == null ? null : twin.position();
        }
    }

    Set<String> consumers() {
        return consumerNames;
    }

    InboxMessage get(int index) {
        return messages.get(index);
    }

    /** Claims all in one statement, and those that are known by their positions in one for each partition. */
    void claim(Claiming claiming, ConsumerIds consumers, InboxTransaction transaction) throws SQLException {
        fresh.clear();
        duplicates.clear();
        @Nullable RowKey[] keys = keys(consumers);
        Map<RowKey, Integer> first = new LinkedHashMap<>();
        Map<RowKey, InboxMessage> byKey = new LinkedHashMap<>();
        for (int i = 0; i < keys.length; i++) {
            RowKey key = keys[i];
            if (key != null && first.putIfAbsent(key, i) == null) {
                byKey.put(key, messages.get(i));
            }
        }
        Map<RowKey, Claim> answers = claiming.claimAll(transaction.connection(), byKey);
        Map<Integer, Claim> byPosition = claiming.claimByPosition(transaction.connection(), consumers, messages);
        if (Stream.concat(answers.values().stream(), byPosition.values().stream())
                .anyMatch(Claim::isUndecided)) {
            // The next try, with the same list or another one, looks them up anew.
            consumerNames.forEach(consumers::evict);
            throw new IllegalStateException("A consumer was removed while it was in use: one of " + consumerNames);
        }
        for (int i = 0; i < keys.length; i++) {
            RowKey key = keys[i];
            int at = key == null ? i : Objects.requireNonNull(first.get(key));
            Claim claim =
                    key == null ? byPosition.getOrDefault(i, Claim.NEW) : Objects.requireNonNull(answers.get(key));
            if (claim.isNew() && at == i) {
                fresh.add(i);
            } else {
                duplicates.put(
                        i,
                        new Duplicate(
                                messages.get(i), claim.known(), at == i ? null : messages.get(at), claim.isStale()));
            }
        }
    }

    /** The places of the messages that are new, each once and in their order. */
    List<Integer> fresh() {
        return List.copyOf(fresh);
    }

    /** Those that are not new, by their places and in their order. */
    SortedMap<Integer, Duplicate> duplicates() {
        return duplicates;
    }

    /** Whether a row was claimed, and not only messages without protection are new. */
    boolean claimedAny() {
        return fresh.stream().map(messages::get).anyMatch(message -> message.id() != null || message.tracked() != null);
    }

    /** The key of each message, or {@code null} for one without an id. */
    private @Nullable RowKey[] keys(ConsumerIds consumers) {
        @Nullable RowKey[] keys = new RowKey[messages.size()];
        for (int i = 0; i < keys.length; i++) {
            InboxMessage message = messages.get(i);
            if (message.id() != null) {
                keys[i] = new RowKey(consumers.of(message.consumer()), MessageKey.of(message));
            }
        }
        return keys;
    }

    @Override
    public String toString() {
        return messages.size() + " messages of consumers " + consumerNames;
    }
}
