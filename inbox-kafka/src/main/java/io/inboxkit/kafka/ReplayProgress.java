package io.inboxkit.kafka;

import io.inboxkit.InboxException;
import io.inboxkit.UndecidedMessageException;
import io.inboxkit.jdbc.ReplayFailureRow;
import io.inboxkit.jdbc.ReplayLookup;
import io.inboxkit.jdbc.ReplayPartitionRow;
import io.inboxkit.jdbc.ReplayRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.ListenerExecutionFailedException;

/**
 * How far a run has come in this instance. A record that failed counts as failed once the container has left it behind, and
 * no longer if it is delivered again before. Thread-safe.
 */
final class ReplayProgress {

    private final Map<TopicPartition, ReplayPartitionRow> partitions = new HashMap<>();
    private final Map<TopicPartition, TreeMap<Long, String>> failing = new HashMap<>();
    private final List<ReplayFailureRow> failures = new ArrayList<>();
    private ReplayRow.Counts counts;

    ReplayProgress(ReplayRow.Counts counts, Collection<ReplayPartitionRow> rows) {
        this.counts = counts;
        rows.forEach(row -> partitions.put(new TopicPartition(row.topic(), row.partition()), row));
    }

    /** The offset after the last one of a partition's range. */
    synchronized long end(TopicPartition partition) {
        return row(partition).end();
    }

    /** The offset before which nothing of a partition is to be read. */
    synchronized long from(TopicPartition partition) {
        return row(partition).from();
    }

    /** Records go to the container: what failed before of them is tried again. */
    synchronized void handedOut(ConsumerRecord<?, ?> delivered) {
        TreeMap<Long, String> failed = failing.get(partitionOf(delivered));
        if (failed != null) {
            failed.remove(delivered.offset());
        }
    }

    /** A record was handled or skipped; those before it in its partition are settled. */
    synchronized void wentOn(ConsumerRecord<?, ?> delivered) {
        handedOut(delivered);
        TopicPartition partition = partitionOf(delivered);
        settled(partition, Math.max(row(partition).next(), delivered.offset() + 1));
    }

    /** A record has failed, for good unless it is handed out again. */
    synchronized void failed(ConsumerRecord<?, ?> delivered, Throwable failure) {
        TopicPartition partition = partitionOf(delivered);
        if (row(partition).next() > delivered.offset()) {
            settled(partition, delivered.offset());
        }
        String reason = reasonOf(failure);
        if (reason != null) {
            failing.computeIfAbsent(partition, key -> new TreeMap<>()).put(delivered.offset(), reason);
        }
    }

    /** Everything of a partition before this offset is done with. */
    synchronized void settled(TopicPartition partition, long next) {
        ReplayPartitionRow row = row(partition);
        partitions.put(
                partition,
                new ReplayPartitionRow(
                        row.topic(), row.partition(), row.topicId(), row.from(), row.end(), next, row.counts()));
        TreeMap<Long, String> failed = failing.get(partition);
        if (failed == null) {
            return;
        }
        Map<Long, String> left = failed.headMap(next);
        left.forEach((offset, reason) ->
                failures.add(new ReplayFailureRow(partition.topic(), partition.partition(), offset, reason)));
        counts =
                new ReplayRow.Counts(counts.handled(), counts.skipped(), counts.stale(), counts.failed() + left.size());
        left.clear();
    }

    /** Whether every partition has come to its end. */
    synchronized boolean complete() {
        return partitions.values().stream().allMatch(row -> row.next() >= row.end());
    }

    synchronized void handled() {
        counts = new ReplayRow.Counts(counts.handled() + 1, counts.skipped(), counts.stale(), counts.failed());
    }

    synchronized void skipped() {
        counts = new ReplayRow.Counts(counts.handled(), counts.skipped() + 1, counts.stale(), counts.failed());
    }

    synchronized void stale() {
        counts = new ReplayRow.Counts(counts.handled(), counts.skipped(), counts.stale() + 1, counts.failed());
    }

    /** An audit has looked at a record. */
    synchronized void found(TopicPartition partition, ReplayLookup.State state) {
        ReplayPartitionRow.Counts c = row(partition).counts();
        add(
                partition,
                switch (state) {
                    case PROCESSED ->
                        new ReplayPartitionRow.Counts(
                                c.processed() + 1, c.open(), c.missing(), c.belowFloor(), c.withoutId(), c.foreign());
                    case OPEN ->
                        new ReplayPartitionRow.Counts(
                                c.processed(), c.open() + 1, c.missing(), c.belowFloor(), c.withoutId(), c.foreign());
                    case MISSING, OTHER ->
                        new ReplayPartitionRow.Counts(
                                c.processed(), c.open(), c.missing() + 1, c.belowFloor(), c.withoutId(), c.foreign());
                    case BELOW_FLOOR ->
                        new ReplayPartitionRow.Counts(
                                c.processed(), c.open(), c.missing(), c.belowFloor() + 1, c.withoutId(), c.foreign());
                });
    }

    /** An audit has found no id in a record. */
    synchronized void withoutId(TopicPartition partition) {
        ReplayPartitionRow.Counts c = row(partition).counts();
        add(
                partition,
                new ReplayPartitionRow.Counts(
                        c.processed(), c.open(), c.missing(), c.belowFloor(), c.withoutId() + 1, c.foreign()));
    }

    /** A dead letter of another consumer is left out. */
    synchronized void foreign(TopicPartition partition) {
        ReplayPartitionRow.Counts c = row(partition).counts();
        add(
                partition,
                new ReplayPartitionRow.Counts(
                        c.processed(), c.open(), c.missing(), c.belowFloor(), c.withoutId(), c.foreign() + 1));
    }

    private void add(TopicPartition partition, ReplayPartitionRow.Counts counts) {
        ReplayPartitionRow row = row(partition);
        partitions.put(
                partition,
                new ReplayPartitionRow(
                        row.topic(), row.partition(), row.topicId(), row.from(), row.end(), row.next(), counts));
    }

    private ReplayPartitionRow row(TopicPartition partition) {
        ReplayPartitionRow row = partitions.get(partition);
        if (row == null) {
            throw new IllegalArgumentException("The replay does not read " + partition);
        }
        return row;
    }

    synchronized ReplayRow.Counts counts() {
        return counts;
    }

    synchronized List<ReplayPartitionRow> partitions() {
        return List.copyOf(partitions.values());
    }

    /** The records that have failed for good and are not {@linkplain #noted noted} yet. */
    synchronized List<ReplayFailureRow> failures() {
        return List.copyOf(failures);
    }

    synchronized void noted(Collection<ReplayFailureRow> saved) {
        failures.removeAll(saved);
    }

    private static TopicPartition partitionOf(ConsumerRecord<?, ?> delivered) {
        return new TopicPartition(delivered.topic(), delivered.partition());
    }

    /** Only what is ours is told in words: the messages of others can have anything of the payload in them. */
    private static @Nullable String reasonOf(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof ListenerExecutionFailedException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof UndecidedMessageException) {
            return null;
        }
        return cause instanceof InboxException
                ? cause.getMessage()
                : cause.getClass().getName();
    }
}
