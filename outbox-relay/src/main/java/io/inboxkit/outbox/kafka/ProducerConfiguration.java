package io.inboxkit.outbox.kafka;

import io.inboxkit.outbox.OutboxConfigurationException;
import io.inboxkit.outbox.OutboxConfigurationException.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** The settings of the producer: those of the application, but for what would weaken the promise, which is refused. */
final class ProducerConfiguration {

    /** Only for messages whose topic has just vanished: metadata is fetched by other threads. */
    private static final int MOST_BLOCKED_MS = 250;

    private static final int MOST_IN_FLIGHT = 5;
    private static final long BUFFER = 64L << 20;

    private ProducerConfiguration() {}

    /**
     * @throws OutboxConfigurationException if a setting would weaken what the relay promises
     */
    static Map<String, Object> of(Map<String, Object> given, Duration sendTimeout) {
        check(given, sendTimeout);
        Map<String, Object> settings = new HashMap<>(given);
        settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        long timeout = sendTimeout.toMillis();
        settings.putIfAbsent(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) timeout);
        // Two tries have to fit into the time: the first may meet a broker that is just going away.
        settings.putIfAbsent(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) Math.max(1, timeout / 2 - 50));
        settings.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, MOST_BLOCKED_MS);
        // Of each key one message at a time is under way, so waiting for company would only delay the next.
        settings.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, 0);
        settings.putIfAbsent(ProducerConfig.BUFFER_MEMORY_CONFIG, BUFFER);
        return settings;
    }

    /** The settings that are common to the producer and the client by which topics are looked up. */
    static Map<String, Object> admin(Map<String, Object> producer, Duration sendTimeout) {
        Map<String, Object> settings = new HashMap<>(producer);
        settings.keySet().retainAll(AdminClientConfig.configNames());
        settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) sendTimeout.toMillis());
        return settings;
    }

    private static void check(Map<String, Object> given, Duration sendTimeout) {
        List<Finding> findings = new ArrayList<>();
        String acks = text(given, ProducerConfig.ACKS_CONFIG);
        if (acks != null && !acks.equals("all") && !acks.equals("-1")) {
            findings.add(finding(
                    ProducerConfig.ACKS_CONFIG, acks, "so a confirmed message could be lost with one broker", "all"));
        }
        String idempotence = text(given, ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG);
        if (idempotence != null && !idempotence.equals("true")) {
            findings.add(finding(
                    ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                    idempotence,
                    "so retries of the producer could repeat and reorder messages",
                    "true"));
        }
        if (text(given, ProducerConfig.TRANSACTIONAL_ID_CONFIG) != null) {
            findings.add(finding(
                    ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                    "set",
                    "but the relay sends without transactions, whose messages would wait for a commit",
                    "nothing"));
        }
        number(given, ProducerConfig.RETRIES_CONFIG, 1, Long.MAX_VALUE, findings);
        number(given, ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1, MOST_IN_FLIGHT, findings);
        number(given, ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 1, sendTimeout.toMillis(), findings);
        number(given, ProducerConfig.MAX_BLOCK_MS_CONFIG, 0, 1000, findings);
        if (!findings.isEmpty()) {
            throw new OutboxConfigurationException(findings);
        }
    }

    private static void number(Map<String, Object> given, String name, long least, long most, List<Finding> findings) {
        String value = text(given, name);
        try {
            if (value != null && (Long.parseLong(value) < least || Long.parseLong(value) > most)) {
                findings.add(finding(
                        name,
                        value,
                        "which the relay cannot keep its promise with",
                        most == Long.MAX_VALUE ? least + " or more" : "a value from " + least + " to " + most));
            }
        } catch (NumberFormatException e) {
            findings.add(finding(name, Objects.requireNonNull(value), "which is no number", "a number"));
        }
    }

    private static Finding finding(String name, String value, String why, String remedy) {
        return new Finding(
                "The producer setting '" + name + "' is '" + value + "', " + why,
                "Remove the setting, or set it to " + remedy);
    }

    private static @Nullable String text(Map<String, Object> given, String name) {
        Object value = given.get(name);
        return value == null ? null : value.toString().trim().toLowerCase(Locale.ROOT);
    }
}
