package io.inboxkit.kafka;

import io.inboxkit.testkit.KafkaService;
import io.inboxkit.testkit.KafkaTopics;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.ProducerFactory;

/** The broker of the test kit, in the few words that these tests need. */
final class TestBroker {

    private TestBroker() {}

    static String bootstrapServers() {
        return KafkaService.bootstrapServers();
    }

    static Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", bootstrapServers()));
    }

    static String newTopic(int partitions) {
        return KafkaTopics.createUnique("topic", partitions);
    }

    static void createTopic(String topic, int partitions) {
        KafkaTopics.create(topic, partitions);
    }

    static void deleteTopic(String topic) {
        KafkaTopics.delete(topic);
    }

    static void send(String topic, int partition, @Nullable String... values) {
        Map<String, Object> config = Map.of("bootstrap.servers", bootstrapServers());
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            for (String value : values) {
                producer.send(new ProducerRecord<>(topic, partition, "key", value))
                        .get(30, TimeUnit.SECONDS);
            }
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException("Nothing could be sent to " + topic, e);
        }
    }

    /** The group's committed offset, 0 if there is none. */
    static long committed(String group, String topic, int partition) {
        return KafkaTopics.committedOffsets(group, topic).getOrDefault(new TopicPartition(topic, partition), 0L);
    }

    static ProducerFactory<String, String> transactions() {
        DefaultKafkaProducerFactory<String, String> factory = new DefaultKafkaProducerFactory<>(
                Map.of("bootstrap.servers", bootstrapServers()), new StringSerializer(), new StringSerializer());
        factory.setTransactionIdPrefix("tx-" + UUID.randomUUID());
        return factory;
    }

    static Map<String, Object> consumerConfig() {
        Map<String, Object> config = new HashMap<>();
        config.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers());
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
        config.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
        config.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, 1000);
        return config;
    }
}
