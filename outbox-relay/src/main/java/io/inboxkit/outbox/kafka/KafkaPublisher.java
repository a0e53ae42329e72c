package io.inboxkit.outbox.kafka;

import io.inboxkit.outbox.BrokerPublisher;
import io.inboxkit.outbox.Destination;
import io.inboxkit.outbox.MessageForm;
import io.inboxkit.outbox.OutboxHeader;
import io.inboxkit.outbox.PublishResult;
import io.inboxkit.outbox.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes to Kafka by an idempotent producer that waits for all replicas. The id of a message is the header
 * {@code message-id}, its type the header {@code type}. The broker is first contacted when a message is sent. Thread-safe.
 */
public final class KafkaPublisher implements BrokerPublisher {

    private static final int MOST_LOOK_UPS = 4;
    private static final Logger LOG = LoggerFactory.getLogger(KafkaPublisher.class);

    private final Map<String, Object> settings;
    private final Duration sendTimeout;
    private final ThreadPoolExecutor executor;
    private final KnownTopics topics;
    private @Nullable Producer<byte[], byte[]> producer;
    private @Nullable Admin admin;
    private boolean closed;

    /**
     * @param producerSettings the settings of the producer; serialisers are replaced
     * @param sendTimeout how long the broker may take to confirm a message
     * @param topicsMayBeCreated whether the broker may make topics as they are used; otherwise a topic that is not there is a
     *     fault of the destination, whatever the broker would do
     * @throws io.inboxkit.outbox.OutboxConfigurationException if a setting would weaken what the relay promises
     */
    public KafkaPublisher(Map<String, Object> producerSettings, Duration sendTimeout, boolean topicsMayBeCreated) {
        this.settings = ProducerConfiguration.of(producerSettings, sendTimeout);
        this.sendTimeout = sendTimeout;
        this.executor = new ThreadPoolExecutor(
                MOST_LOOK_UPS, MOST_LOOK_UPS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "outbox-relay-kafka-topics");
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
        this.topics =
                new KnownTopics(this::admin, topic -> producer().partitionsFor(topic), executor, topicsMayBeCreated);
    }

    @Override
    public String scheme() {
        return Destination.KAFKA;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // The callback tells all of it.
    public void send(StoredMessage message, Consumer<PublishResult> result) {
        CompletableFuture<Void> known = topics.find(message.destination().name());
        if (known.isDone() && !known.isCompletedExceptionally()) {
            sendToKnown(message, result);
        } else {
            known.whenCompleteAsync(
                    (nothing, failure) -> {
                        if (failure == null) {
                            sendToKnown(message, result);
                        } else {
                            result.accept(KafkaFaults.of(failure));
                        }
                    },
                    executor);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // As above.
    private void sendToKnown(StoredMessage message, Consumer<PublishResult> result) {
        Producer<byte[], byte[]> used;
        try {
            used = producer();
        } catch (RuntimeException e) {
            result.accept(PublishResult.unreachable("No producer could be made: " + e.getMessage()));
            return;
        }
        try {
            used.send(record(message), (metadata, failure) -> {
                if (failure == null) {
                    result.accept(PublishResult.CONFIRMED);
                } else {
                    result.accept(failed(message, failure, used));
                }
            });
        } catch (RuntimeException e) {
            result.accept(failed(message, e, used));
        }
    }

    private PublishResult failed(StoredMessage message, Exception failure, Producer<byte[], byte[]> used) {
        PublishResult result = KafkaFaults.of(failure);
        if (result.kind() != PublishResult.Kind.MESSAGE_FAULT) {
            topics.forget(message.destination().name());
            if (KafkaFaults.isFatal(failure)) {
                replace(used);
            }
        }
        return result;
    }

    private static ProducerRecord<byte[], byte[]> record(StoredMessage message) {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(message.destination().name(), null, message.key(), message.payload());
        record.headers().add(MessageForm.ID_HEADER, message.id().getBytes(StandardCharsets.UTF_8));
        String type = message.type();
        if (type != null) {
            record.headers().add(MessageForm.TYPE_HEADER, type.getBytes(StandardCharsets.UTF_8));
        }
        for (OutboxHeader header : message.headers()) {
            record.headers().add(header.name(), header.value());
        }
        return record;
    }

    private synchronized Producer<byte[], byte[]> producer() {
        if (closed) {
            throw new IllegalStateException("the publisher is closed");
        }
        if (producer == null) {
            producer = new KafkaProducer<>(settings);
        }
        return producer;
    }

    private synchronized Admin admin() {
        if (closed) {
            throw new IllegalStateException("the publisher is closed");
        }
        if (admin == null) {
            admin = Admin.create(ProducerConfiguration.admin(settings, sendTimeout));
        }
        return admin;
    }

    /** Not by the thread that calls: it may be the producer's own. */
    private synchronized void replace(Producer<byte[], byte[]> broken) {
        if (producer == broken && !closed) {
            LOG.warn("The producer has come to an error that it cannot recover from, and is replaced");
            producer = null;
            executor.execute(() -> broken.close(Duration.ZERO));
        }
    }

    @Override
    public void close() {
        Producer<byte[], byte[]> open;
        Admin openAdmin;
        synchronized (this) {
            closed = true;
            open = producer;
            openAdmin = admin;
            producer = null;
            admin = null;
        }
        if (open != null) {
            open.close(sendTimeout);
        }
        if (openAdmin != null) {
            openAdmin.close(Duration.ZERO);
        }
        executor.shutdown();
    }
}
