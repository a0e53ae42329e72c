package io.inboxkit.kafka;

import io.inboxkit.InboxUnavailableException;
import io.inboxkit.Position;
import io.inboxkit.TrackedPosition;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.core.log.LogAccessor;

/**
 * The positions of the records of a listener that tracks them, each under the id that its topic had before the record was
 * fetched. Only after the same id was read again, later than the fetch, is it sure that the record is not of another
 * topic with the same name; so it is read again before a record is skipped. If it is another one then, nobody knows
 * which of the two topics the record was fetched from, and it is fetched anew.
 *
 * <p>Each partition is confined to the thread of its consumer.
 */
final class TrackedTopics {

    private static final LogAccessor LOG = new LogAccessor(TrackedTopics.class);

    private static final long LONGEST_AGE = TimeUnit.MINUTES.toNanos(5);

    private final Map<TopicPartition, Source> sources = new ConcurrentHashMap<>();

    private final TopicAdmins admins;

    private final Map<String, Object> connection;

    /** @param connection how the container of the listener connects */
    TrackedTopics(TopicAdmins admins, Map<String, Object> connection) {
        this.admins = admins;
        this.connection = connection;
    }

    /**
     * The position of a record that is delivered now.
     *
     * @param consumer the one that has fetched it, or {@code null} if it is not known
     * @throws InboxUnavailableException if the topic's id is not known
     */
    TrackedPosition of(ConsumerRecord<?, ?> delivered, @Nullable Consumer<?, ?> consumer) {
        TopicPartition partition = new TopicPartition(delivered.topic(), delivered.partition());
        Source source = sources.get(partition);
        if (source == null) {
            source = Source.of(ask(delivered.topic()));
            sources.put(partition, source);
        } else if (System.nanoTime() - source.asked() > LONGEST_AGE) {
            source = sameAgain(source, partition, delivered.offset());
            sources.put(partition, source);
        }
        return new Tracked(
                new Position(source.id(), delivered.partition(), delivered.offset()),
                delivered.leaderEpoch().orElse(TrackedPosition.UNKNOWN_EPOCH),
                partition,
                consumer);
    }

    /** Notes a new assignment, before anything is fetched: the ids of the topics are read anew. */
    void assigned(Collection<TopicPartition> partitions) {
        partitions.forEach(sources::remove);
        Map<String, Source> topics = new HashMap<>();
        for (TopicPartition partition : partitions) {
            try {
                sources.put(partition, topics.computeIfAbsent(partition.topic(), topic -> Source.of(ask(topic))));
            } catch (InboxUnavailableException e) {
                LOG.warn(e, () -> "The id of topic '%s' is read at its first record".formatted(partition.topic()));
                return;
            }
        }
    }

    private Source sameAgain(Source source, TopicPartition partition, long offset) {
        UUID now = ask(partition.topic());
        if (!now.equals(source.id())) {
            // From here on records are fetched after this answer, since the container seeks.
            sources.put(partition, Source.of(now));
            throw new InboxUnavailableException(
                    "The topic '" + partition.topic() + "' was deleted and created again, so the record at " + partition
                            + "@" + offset
                            + " may be of the one or the other. It is fetched anew; nothing need be done",
                    null);
        }
        return Source.of(now);
    }

    private UUID ask(String topic) {
        try {
            return admins.topicId(connection, topic);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unknown(topic, e);
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            throw unknown(topic, e);
        }
    }

    private static InboxUnavailableException unknown(String topic, Exception cause) {
        return new InboxUnavailableException(
                "The broker does not tell the id of topic '" + topic + "', without which a position in it says nothing."
                        + " The record must be delivered again; the consumer's principal needs the right to describe the"
                        + " topic",
                cause);
    }

    /**
     * The topic that a partition belongs to.
     *
     * @param asked when the broker said so, by {@link System#nanoTime()}
     * @param confirmedFrom the first of the offsets whose records were fetched before that and are still to come
     * @param confirmedTo the offset after the last of them
     */
    private record Source(UUID id, long asked, long confirmedFrom, long confirmedTo) {

        static Source of(UUID id) {
            return new Source(id, System.nanoTime(), 0, 0);
        }

        boolean confirms(long offset) {
            return confirmedFrom <= offset && offset < confirmedTo;
        }

        Source confirmed(long from, long to) {
            return new Source(id, asked, from, to);
        }
    }

    private final class Tracked implements TrackedPosition {

        private final Position position;
        private final int leaderEpoch;
        private final TopicPartition partition;
        private final @Nullable Consumer<?, ?> consumer;

        Tracked(Position position, int leaderEpoch, TopicPartition partition, @Nullable Consumer<?, ?> consumer) {
            this.position = position;
            this.leaderEpoch = leaderEpoch;
            this.partition = partition;
            this.consumer = consumer;
        }

        @Override
        public Position position() {
            return position;
        }

        @Override
        public int leaderEpoch() {
            return leaderEpoch;
        }

        @Override
        public void confirm() {
            Source source = sources.get(partition);
            if (source == null || !source.id().equals(position.source())) {
                source = Source.of(position.source());
            }
            long offset = position.offset();
            if (source.confirms(offset)) {
                // Never the same offset or a lower one again: they would be fetched once more for that.
                sources.put(partition, source.confirmed(offset + 1, source.confirmedTo()));
            } else {
                source = sameAgain(source, partition, offset);
                sources.put(partition, source.confirmed(offset + 1, Math.max(offset + 1, fetched())));
            }
        }

        /** The offset after the last record that the consumer has handed out already. */
        private long fetched() {
            if (consumer == null) {
                return 0;
            }
            try {
                return consumer.position(partition, Duration.ZERO);
            } catch (IllegalStateException | KafkaException e) {
                LOG.debug(e, () -> "The consumer does not tell its position in " + partition);
                return 0;
            }
        }
    }
}
