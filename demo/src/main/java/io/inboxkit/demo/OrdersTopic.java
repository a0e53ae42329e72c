package io.inboxkit.demo;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;

/** The topic of the orders: filled by a producer that retries, read by the group of the billing application. */
final class OrdersTopic {

    private static final String TOPIC = "orders";
    private static final String GROUP = "billing";
    private static final int PARTITIONS = 3;
    private static final int EVERY_THIRD = 3;

    private final String bootstrapServers;
    private final List<String> orderIds;

    OrdersTopic(String bootstrapServers, int orders) {
        this.bootstrapServers = bootstrapServers;
        this.orderIds = IntStream.rangeClosed(1, orders)
                .mapToObj("order-%03d"::formatted)
                .toList();
    }

    List<String> orderIds() {
        return orderIds;
    }

    void create() throws ExecutionException, InterruptedException {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1)))
                    .all()
                    .get();
        }
    }

    /**
     * Sends every order once and every third one a second time, as a producer does that saw a timeout although its message had
     * arrived: under the same id, at another offset.
     *
     * @return the number of messages sent
     */
    int sendOrders() throws ExecutionException, InterruptedException {
        List<Future<?>> sent = new ArrayList<>();
        try (Producer<String, String> producer = producer()) {
            int number = 0;
            for (String orderId : orderIds) {
                // Made once per order, where the business decides, and not once per attempt to send it.
                String messageId = UUID.randomUUID().toString();
                sent.add(producer.send(message(orderId, messageId)));
                if (++number % EVERY_THIRD == 0) {
                    sent.add(producer.send(message(orderId, messageId)));
                }
            }
            for (Future<?> message : sent) {
                message.get();
            }
        }
        return sent.size();
    }

    private static ProducerRecord<String, String> message(String orderId, String messageId) {
        String payload = "{\"orderId\": \"%s\", \"amount\": 19.90}".formatted(orderId);
        ProducerRecord<String, String> message = new ProducerRecord<>(TOPIC, orderId, payload);
        message.headers().add("message-id", messageId.getBytes(StandardCharsets.UTF_8));
        return message;
    }

    /** Whether the group has acknowledged every message of the topic. */
    boolean isConsumed() throws ExecutionException, InterruptedException {
        try (Admin admin = admin()) {
            Map<TopicPartition, OffsetAndMetadata> acknowledged = admin.listConsumerGroupOffsets(GROUP)
                    .partitionsToOffsetAndMetadata()
                    .get();
            var ends = admin.listOffsets(partitions(partition -> OffsetSpec.latest()))
                    .all()
                    .get();
            return ends.entrySet().stream()
                    .allMatch(end -> acknowledged.containsKey(end.getKey())
                            && acknowledged.get(end.getKey()).offset()
                                    >= end.getValue().offset());
        }
    }

    /** Puts the group back to the beginning of the topic. The group must have no members. */
    void rewindGroup() throws ExecutionException, InterruptedException {
        try (Admin admin = admin()) {
            admin.alterConsumerGroupOffsets(GROUP, partitions(partition -> new OffsetAndMetadata(0)))
                    .all()
                    .get();
        }
    }

    private static <T> Map<TopicPartition, T> partitions(Function<TopicPartition, T> value) {
        return IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new TopicPartition(TOPIC, partition))
                .collect(Collectors.toMap(Function.identity(), value));
    }

    private Admin admin() {
        return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers));
    }

    private Producer<String, String> producer() {
        return new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers),
                new StringSerializer(),
                new StringSerializer());
    }
}
