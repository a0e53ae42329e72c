package io.inboxkit.kafka;

import io.inboxkit.ConsumerSettings;
import io.inboxkit.Inbox;
import io.inboxkit.InboxUnavailableException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The names of the consumers that a handler is: the one that it declares, else one for each topic. Thread-safe.
 */
final class ConsumerNames {

    private final Set<String> registered = ConcurrentHashMap.newKeySet();
    private final @Nullable String declared;
    private final String group;
    private final List<String> topics;
    private final InboxListener.Role role;
    private final String suffix;

    /**
     * @param declared the name that the annotation gives, or {@code null}
     * @param group the group id of the main listener; empty if it has none
     * @param topics the topics of the main listener; empty if it subscribes to a pattern
     * @param suffix what is appended to the name: for dead letters that of their own consumer
     */
    ConsumerNames(
            @Nullable String declared, String group, List<String> topics, InboxListener.Role role, String suffix) {
        this.declared = declared;
        this.group = group;
        this.topics = List.copyOf(topics);
        this.role = role;
        this.suffix = suffix;
    }

    /** The name of the consumer that a record is for. */
    String of(ConsumerRecord<?, ?> kafkaRecord) {
        return declared != null ? declared + suffix : group + ":" + topicOf(kafkaRecord) + suffix;
    }

    private String topicOf(ConsumerRecord<?, ?> kafkaRecord) {
        if (role == InboxListener.Role.MAIN) {
            return kafkaRecord.topic();
        }
        if (topics.size() == 1) {
            return topics.get(0);
        }
        // Several topics share their retry topics.
        String topic = Originals.topic(kafkaRecord);
        return topic != null && topics.contains(topic) ? topic : kafkaRecord.topic();
    }

    /** Whether the main listener reads this topic; one that subscribes to a pattern may read any. */
    boolean reads(String topic) {
        return topics.isEmpty() || topics.contains(topic);
    }

    /** The names that are known before the first record; none for a pattern. */
    List<String> known() {
        if (declared != null) {
            return List.of(declared + suffix);
        }
        return topics.stream().map(topic -> group + ":" + topic + suffix).toList();
    }

    /** Whether nothing gives a name: no annotation, and no group that could. */
    boolean missing() {
        return declared == null && group.isEmpty();
    }

    /** Matches the names that are known only by their records, of a subscription to a topic pattern. */
    @Nullable
    Pattern pattern(@Nullable Pattern topicPattern) {
        return declared != null || topicPattern == null
                ? null
                : Pattern.compile(
                        Pattern.quote(group + ":") + "(?:" + topicPattern.pattern() + ")" + Pattern.quote(suffix),
                        topicPattern.flags());
    }

    /** Makes a consumer known to the inbox before its first message, so that its ids have its own retention. */
    void register(String consumer, Inbox inbox, ConsumerSettings settings) {
        if (registered.contains(consumer)) {
            return;
        }
        try {
            inbox.register(consumer, settings);
        } catch (RuntimeException e) {
            throw new InboxUnavailableException(
                    "The consumer '" + consumer
                            + "' could not be registered in the inbox. Its message was not handed to the"
                            + " handler and must be delivered again; look at the cause, and at the database",
                    e);
        }
        registered.add(consumer);
    }

    /** How the start-up line names the consumer. */
    @Override
    public String toString() {
        List<String> known = known();
        if (known.isEmpty()) {
            return "'" + group + ":<topic>" + suffix + "'";
        }
        return "'" + String.join("', '", known) + "'";
    }
}
