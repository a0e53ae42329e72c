package io.inboxkit.kafka;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * What is to be replayed. Immutable: each method gives a new request. Where nothing else is said, all partitions of all
 * topics of the listener are read from their beginning, {@link ReplayMode#SKIP_PROCESSED what was processed is skipped}, and
 * the run goes on behind a record that failed.
 *
 * <p>A range never reaches beyond what the listener's group has committed when the run starts.
 */
public final class ReplayRequest {

    private static final int LONGEST_NAME = 100;

    private final Settings settings;

    private ReplayRequest(Settings settings) {
        this.settings = settings;
    }

    /**
     * A replay of all that a listener has consumed.
     *
     * @param name what the run is called from now on, unique in its database; 100 characters at most
     * @param listener the id of the listener, as in {@code @KafkaListener(id = …)}
     */
    public static ReplayRequest of(String name, String listener) {
        Assert.hasText(name, "A replay needs a name, by which it is stopped, resumed and asked for");
        Assert.isTrue(
                name.length() <= LONGEST_NAME, "The name of a replay must not be longer than 100 characters: " + name);
        Assert.hasText(listener, "A replay needs the id of the listener to call, as in @KafkaListener(id = …)");
        return new ReplayRequest(new Settings(
                name,
                listener,
                ReplayMode.SKIP_PROCESSED,
                List.of(),
                false,
                Set.of(),
                new Bound(null, null),
                new Bound(null, null),
                null,
                ReplayFailurePolicy.CONTINUE));
    }

    /** Does this with the records. */
    public ReplayRequest mode(ReplayMode mode) {
        return with(settings.name, mode, settings.onFailure, settings.rate);
    }

    /** Does this behind a record that failed. */
    public ReplayRequest onFailure(ReplayFailurePolicy onFailure) {
        return with(settings.name, settings.mode, onFailure, settings.rate);
    }

    /** Reads not more than so many records per second on average; 1 or more. */
    public ReplayRequest rate(int recordsPerSecond) {
        Assert.isTrue(recordsPerSecond >= 1, "The rate of a replay must be 1 record per second or more");
        return with(settings.name, settings.mode, settings.onFailure, recordsPerSecond);
    }

    /** Reads only these topics of the listener. */
    public ReplayRequest topics(String... topics) {
        return reading(List.of(topics), false, settings.partitions, settings.from, settings.to);
    }

    /**
     * Reads these dead-letter topics, up to their present end, instead of the topics of the listener. Their records are what
     * they were before: messages of the consumer from whose topic they come, by the headers that the dead-letter publisher
     * has written. Name only topics whose producers are trusted with that. Dead letters of other consumers are left out.
     */
    public ReplayRequest deadLetters(String... topics) {
        Assert.notEmpty(topics, "Name at least one dead-letter topic");
        return reading(List.of(topics), true, settings.partitions, settings.from, settings.to);
    }

    /** Reads only these partitions of each topic. */
    public ReplayRequest partitions(Integer... partitions) {
        return reading(
                settings.topics,
                settings.deadLetters,
                new TreeSet<>(Arrays.asList(partitions)),
                settings.from,
                settings.to);
    }

    /** Begins at this offset in each partition. */
    public ReplayRequest fromOffset(long offset) {
        return from(new Bound(notNegative(offset), null));
    }

    /** Begins at the first record that is not older than this, by the timestamp of the record. */
    public ReplayRequest from(Instant time) {
        return from(new Bound(null, time));
    }

    /** Ends before this offset in each partition. */
    public ReplayRequest toOffset(long offset) {
        return to(new Bound(notNegative(offset), null));
    }

    /** Ends before the first record that is not older than this. */
    public ReplayRequest to(Instant time) {
        return to(new Bound(null, time));
    }

    private static long notNegative(long offset) {
        Assert.isTrue(offset >= 0, "An offset must be 0 or more, but is " + offset);
        return offset;
    }

    private ReplayRequest from(Bound from) {
        return reading(settings.topics, settings.deadLetters, settings.partitions, from, settings.to);
    }

    private ReplayRequest to(Bound to) {
        return reading(settings.topics, settings.deadLetters, settings.partitions, settings.from, to);
    }

    private ReplayRequest with(String name, ReplayMode mode, ReplayFailurePolicy onFailure, @Nullable Integer rate) {
        return new ReplayRequest(new Settings(
                name,
                settings.listener,
                mode,
                settings.topics,
                settings.deadLetters,
                settings.partitions,
                settings.from,
                settings.to,
                rate,
                onFailure));
    }

    private ReplayRequest reading(
            List<String> topics, boolean deadLetters, Set<Integer> partitions, Bound from, Bound to) {
        return new ReplayRequest(new Settings(
                settings.name,
                settings.listener,
                settings.mode,
                topics,
                deadLetters,
                partitions,
                from,
                to,
                settings.rate,
                settings.onFailure));
    }

    Settings settings() {
        return settings;
    }

    /**
     * One end of a range; the first that is not {@code null} counts, neither means the end of the partition.
     */
    record Bound(@Nullable Long offset, @Nullable Instant time) {}

    /**
     * What is asked for.
     *
     * @param topics empty for all of the listener
     * @param partitions empty for all
     */
    record Settings(
            String name,
            String listener,
            ReplayMode mode,
            List<String> topics,
            boolean deadLetters,
            Set<Integer> partitions,
            Bound from,
            Bound to,
            @Nullable Integer rate,
            ReplayFailurePolicy onFailure) {}
}
