package io.inboxkit.kafka;

import io.inboxkit.Position;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.core.log.LogAccessor;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;

/**
 * The positions of the records of one listener, by topic id, so that a topic which was deleted and created again is never
 * taken for its predecessor. The id is asked for again at the first record of a partition after its assignment, whenever
 * an offset does not increase, and from time to time. Thread-safe.
 */
final class TopicIds {

    private static final LogAccessor LOG = new LogAccessor(TopicIds.class);

    private static final long LONGEST_AGE = TimeUnit.MINUTES.toNanos(5);

    private static final long PAUSE_AFTER_FAILURE = TimeUnit.SECONDS.toNanos(30);

    private final Map<String, TopicId> topics = new ConcurrentHashMap<>();

    private final Map<TopicPartition, Progress> progress = new ConcurrentHashMap<>();

    private final TopicAdmins admins;

    private final Map<String, Object> connection;

    TopicIds(TopicAdmins admins, AbstractMessageListenerContainer<?, ?> container) {
        this(
                admins,
                TopicAdmins.connection(
                        ContainerConsumerFactory.of(container).getConfigurationProperties(),
                        ContainerConsumerFactory.overrides(container)));
    }

    /**
     * @param connection how the container connects
     */
    TopicIds(TopicAdmins admins, Map<String, Object> connection) {
        this.admins = admins;
        this.connection = connection;
    }

    /**
     * The position of a record. Either this or {@link #ofOriginal} is to be called once for each delivery, on its
     * consumer's thread, which it may hold up for five seconds.
     *
     * @return {@code null} if the broker did not tell the topic's id
     */
    @Nullable
    Position of(ConsumerRecord<?, ?> delivered) {
        UUID topic = idOf(delivered.topic(), notOlderThan(delivered));
        return topic == null ? null : new Position(topic, delivered.partition(), delivered.offset());
    }

    /** Whether the headers say that a record is a copy; to be asked only where they can be believed. */
    static boolean isCopy(ConsumerRecord<?, ?> delivered) {
        return Originals.topic(delivered) != null;
    }

    /**
     * The position of the record that this one is a copy of, as the framework notes it in the headers of records on retry
     * and dead-letter topics. Only for records whose headers can be believed: a producer can write them as well.
     *
     * @return {@code null} if the headers do not tell it, or the broker not the topic's id
     */
    @Nullable
    Position ofOriginal(ConsumerRecord<?, ?> copy) {
        String topic = Originals.topic(copy);
        int partition = Originals.partition(copy);
        long offset = Originals.offset(copy);
        if (topic == null || partition < 0 || offset < 0) {
            return null;
        }
        UUID id = idOf(topic, notOlderThan(copy));
        return id == null ? null : new Position(id, partition, offset);
    }

    /** Notes a new assignment: what was known of these partitions may be out of date. */
    void assigned(Collection<TopicPartition> partitions) {
        long now = System.nanoTime();
        partitions.forEach(partition -> progress.put(partition, new Progress(-1, now)));
    }

    /** The id of a topic as the broker has it now, or {@code null} if it does not tell. */
    @Nullable
    UUID current(String topic) {
        return idOf(topic, System.nanoTime());
    }

    /** The time, by {@link System#nanoTime()}, since when the id of the topic must have been asked for. */
    private long notOlderThan(ConsumerRecord<?, ?> delivered) {
        long now = System.nanoTime();
        TopicPartition partition = new TopicPartition(delivered.topic(), delivered.partition());
        Progress before = progress.get(partition);
        if (before == null || delivered.offset() <= before.offset()) {
            before = new Progress(-1, now);
        }
        progress.put(partition, new Progress(delivered.offset(), before.since()));
        long oldest = now - LONGEST_AGE;
        return before.since() - oldest > 0 ? before.since() : oldest;
    }

    private @Nullable UUID idOf(String topic, long notOlderThan) {
        TopicId known = topics.get(topic);
        if (known != null && known.usable(notOlderThan)) {
            return known.id();
        }
        long asked = System.nanoTime();
        UUID id = ask(topic);
        topics.put(topic, new TopicId(id, asked));
        return id;
    }

    private @Nullable UUID ask(String topic) {
        try {
            return admins.topicId(connection, topic);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            LOG.warn(() -> "The broker does not tell the id of topic '%s' (%s). Its records are handled without their"
                            .formatted(topic, e)
                    + " position, so the same record is known again only by its id and fingerprint; asked again in"
                    + " 30 s. The consumer's principal needs the right to describe the topic");
            return null;
        }
    }

    /**
     * How far a partition has come.
     *
     * @param offset the offset delivered last
     * @param since since when offsets have been increasing
     */
    private record Progress(long offset, long since) {}

    /**
     * What the broker said.
     *
     * @param id the topic's id, or {@code null} if it did not tell
     * @param asked when it was asked
     */
    private record TopicId(@Nullable UUID id, long asked) {

        boolean usable(long notOlderThan) {
            return id == null ? System.nanoTime() - asked < PAUSE_AFTER_FAILURE : asked - notOlderThan >= 0;
        }
    }
}
