package io.inboxkit.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/**
 * Asks the broker for the ids of topics, with one connection for all containers that connect in the same way, opened when
 * it is first needed. Thread-safe.
 */
final class TopicAdmins implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Map<Map<String, Object>, Admin> admins = new ConcurrentHashMap<>();

    /** How a container connects, in the form in which it is handed to {@link #topicId}. */
    static Map<String, Object> connection(Map<String, Object> configured, Properties overrides) {
        Map<String, Object> all = new HashMap<>(configured);
        overrides.forEach((name, value) -> all.put(String.valueOf(name), value));
        all.keySet().retainAll(AdminClientConfig.configNames());
        // Two clients under one id get into each other's way in JMX.
        all.remove(AdminClientConfig.CLIENT_ID_CONFIG);
        return all;
    }

    /**
     * The id of a topic as the broker has it now.
     *
     * @throws TimeoutException if the broker does not answer within five seconds
     * @throws ExecutionException if it does not know the topic or does not tell
     */
    UUID topicId(Map<String, Object> connection, String topic)
            throws InterruptedException, ExecutionException, TimeoutException {
        Admin admin = admins.computeIfAbsent(connection, Admin::create);
        KafkaFuture<TopicDescription> answer =
                admin.describeTopics(List.of(topic)).topicNameValues().get(topic);
        Uuid id = Objects.requireNonNull(answer, "The future of the topic asked for")
                .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .topicId();
        if (id.equals(Uuid.ZERO_UUID)) {
            throw new ExecutionException(
                    new UnsupportedVersionException("The broker gives topic '" + topic + "' no id"));
        }
        return new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }

    @Override
    public void close() {
        admins.values().forEach(admin -> admin.close(Duration.ZERO));
        admins.clear();
    }
}
