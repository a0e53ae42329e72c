package io.inboxkit.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** Writes and reads records of the {@link KafkaService}, as the bytes that they are on the wire. Thread-safe. */
public final class KafkaRecords {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(100);

    private KafkaRecords() {}

    /** Sends a record and returns when the broker has it. */
    public static RecordMetadata send(ProducerRecord<@Nullable String, byte @Nullable []> record) {
        try {
            return Clients.PRODUCER.send(record).get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("The record for " + record.topic() + " could not be sent", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while sending to " + record.topic(), e);
        }
    }

    /** Sends a text to partition 0, with headers given as name, value, name, value. A null value is a null header. */
    public static RecordMetadata send(String topic, @Nullable String text, @Nullable String... headers) {
        ProducerRecord<@Nullable String, byte @Nullable []> record =
                new ProducerRecord<>(topic, 0, null, text == null ? null : text.getBytes(UTF_8));
        add(record.headers(), headers);
        return send(record);
    }

    /** Sends copies of records, with key, value, headers and partition, to another topic, as a replay tool would. */
    public static void copy(List<ConsumerRecord<@Nullable String, byte @Nullable []>> records, String topic) {
        for (ConsumerRecord<@Nullable String, byte @Nullable []> record : records) {
            send(new ProducerRecord<>(topic, record.partition(), record.key(), record.value(), record.headers()));
        }
    }

    /** All records that the topic holds now, partition by partition, whatever groups have read. */
    public static List<ConsumerRecord<@Nullable String, byte @Nullable []>> all(String topic) {
        Map<TopicPartition, Long> ends = KafkaTopics.endOffsets(topic);
        List<ConsumerRecord<@Nullable String, byte @Nullable []>> records = new ArrayList<>();
        try (KafkaConsumer<@Nullable String, byte @Nullable []> consumer = consumer()) {
            for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
                consumer.assign(List.of(end.getKey()));
                consumer.seekToBeginning(List.of(end.getKey()));
                long deadline = System.nanoTime() + LIMIT.toNanos();
                while (consumer.position(end.getKey()) < end.getValue()) {
                    consumer.poll(POLL).forEach(records::add);
                    if (System.nanoTime() > deadline) {
                        throw new IllegalStateException(
                                "Only " + records.size() + " records of " + topic + " could be read within " + LIMIT);
                    }
                }
            }
        }
        return records;
    }

    /** The value as text. */
    public static @Nullable String text(ConsumerRecord<?, byte @Nullable []> record) {
        byte[] value = record.value();
        return value == null ? null : new String(value, UTF_8);
    }

    private static void add(Headers target, @Nullable String... headers) {
        if (headers.length % 2 != 0) {
            throw new IllegalArgumentException("Headers come in pairs of name and value");
        }
        for (int i = 0; i < headers.length; i += 2) {
            String value = headers[i + 1];
            target.add(String.valueOf(headers[i]), value == null ? null : value.getBytes(UTF_8));
        }
    }

    private static KafkaConsumer<@Nullable String, byte @Nullable []> consumer() {
        return new KafkaConsumer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, KafkaService.bootstrapServers()),
                new StringDeserializer(),
                new ByteArrayDeserializer());
    }

    private static KafkaProducer<@Nullable String, byte @Nullable []> newProducer() {
        KafkaProducer<@Nullable String, byte @Nullable []> producer = new KafkaProducer<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        KafkaService.bootstrapServers(),
                        ProducerConfig.LINGER_MS_CONFIG,
                        0),
                new StringSerializer(),
                new ByteArraySerializer());
        ServiceSource.atExit("kafka-producer", () -> producer.close(Duration.ZERO));
        return producer;
    }

    private static final class Clients {
        static final KafkaProducer<@Nullable String, byte @Nullable []> PRODUCER =
                ServiceSource.start("kafka", KafkaRecords::newProducer);
    }
}
