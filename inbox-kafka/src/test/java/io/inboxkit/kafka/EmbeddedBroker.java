package io.inboxkit.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/** A real broker inside the JVM of the tests, started once. */
final class EmbeddedBroker {

    private static final EmbeddedKafkaKraftBroker BROKER = start();

    private EmbeddedBroker() {}

    private static EmbeddedKafkaKraftBroker start() {
        EmbeddedKafkaKraftBroker broker = new EmbeddedKafkaKraftBroker(1, 1);
        broker.brokerProperty("transaction.state.log.replication.factor", "1");
        broker.brokerProperty("transaction.state.log.min.isr", "1");
        broker.brokerProperty("group.initial.rebalance.delay.ms", "0");
        broker.afterPropertiesSet();
        Runtime.getRuntime().addShutdownHook(new Thread(broker::destroy));
        return broker;
    }

    static String bootstrapServers() {
        return BROKER.getBrokersAsString();
    }

    static Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", bootstrapServers()));
    }

    static String newTopic(int partitions) {
        String topic = "topic-" + UUID.randomUUID();
        createTopic(topic, partitions);
        return topic;
    }

    static void createTopic(String topic, int partitions) {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
                    .all()
                    .get(30, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException("No topic " + topic, e);
        }
    }

    static void deleteTopic(String topic) {
        try (Admin admin = admin()) {
            admin.deleteTopics(Set.of(topic)).all().get(30, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException("Topic " + topic + " was not deleted", e);
        }
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
        try (Admin admin = admin()) {
            OffsetAndMetadata offset = admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get(30, TimeUnit.SECONDS)
                    .get(new TopicPartition(topic, partition));
            return offset == null ? 0 : offset.offset();
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException("No offsets of " + group, e);
        }
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
