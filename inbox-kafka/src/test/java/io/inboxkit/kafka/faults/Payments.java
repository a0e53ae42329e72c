package io.inboxkit.kafka.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.inboxkit.observe.InboxHealthIndicator;
import io.inboxkit.testkit.ChildJvm;
import io.inboxkit.testkit.KafkaRecords;
import io.inboxkit.testkit.KafkaService;
import io.inboxkit.testkit.KafkaTopics;
import io.inboxkit.testkit.TestDatabase;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * A topic of payments, the group that books them, and a database that counts how often it did: nothing but the inbox
 * keeps a payment from being booked twice. Knows what was sent, and so what must be there in the end.
 */
final class Payments implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final TestDatabase database = TestDatabase.create();
    private final int partitions;
    private final String topic;
    private final String group = KafkaTopics.uniqueName("billing");
    private final Set<String> sent = ConcurrentHashMap.newKeySet();

    Payments(int partitions) {
        this.partitions = partitions;
        topic = KafkaTopics.createUnique("payments", partitions);
        database.jdbc().execute("create table effect (number serial, payment text)");
    }

    TestDatabase database() {
        return database;
    }

    String topic() {
        return topic;
    }

    String group() {
        return group;
    }

    /** Where a record stands, as logs and health write it. */
    String position(int partition, long offset) {
        return topic + "-" + partition + "@" + offset;
    }

    int partitions() {
        return partitions;
    }

    /** Notes a payment that the test sends itself. */
    void willBeSent(String payment) {
        sent.add(payment);
    }

    /** Sends payments, each with itself as its id. */
    void send(int partition, String... payments) {
        for (String payment : payments) {
            var outgoing = outgoing(partition, payment);
            outgoing.headers().add("message-id", payment.getBytes(UTF_8));
            KafkaRecords.send(outgoing);
        }
    }

    /** Sends payments as producers do that know nothing of ids. */
    void sendWithoutId(int partition, String... payments) {
        for (String payment : payments) {
            KafkaRecords.send(outgoing(partition, payment));
        }
    }

    private ProducerRecord<@Nullable String, byte @Nullable []> outgoing(int partition, String payment) {
        sent.add(payment);
        return new ProducerRecord<>(topic, partition, null, payment.getBytes(UTF_8));
    }

    /** What was booked and committed, in order. */
    List<String> effects() {
        return database.jdbc().queryForList("select payment from effect order by number", String.class);
    }

    /** How many bookings there are. */
    int count() {
        return Objects.requireNonNull(database.jdbc().queryForObject("select count(*) from effect", Integer.class));
    }

    /** How far the group has committed a partition. */
    long committed(int partition) {
        return KafkaTopics.committedOffsets(group, topic).getOrDefault(new TopicPartition(topic, partition), 0L);
    }

    /** Waits until the group has acknowledged everything, and finds each payment booked once. */
    void awaitEachBookedOnce() {
        await("acknowledgements of " + group)
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(KafkaTopics.lag(group, topic)).isZero());
        assertThat(effects()).containsExactlyInAnyOrderElementsOf(sent);
    }

    void awaitBooked(Collection<String> payments) {
        await("bookings of " + payments).atMost(PATIENCE).untilAsserted(() -> assertThat(effects())
                .containsAll(payments));
    }

    /** Starts the application in this JVM. */
    ConfigurableApplicationContext start(Map<String, String> properties, Class<?>... sources) {
        return start(properties, context -> {}, sources);
    }

    /** As {@link #start(Map, Class[])}, with beans that the test has at hand. */
    ConfigurableApplicationContext start(
            Map<String, String> properties,
            ApplicationContextInitializer<GenericApplicationContext> beans,
            Class<?>... sources) {
        Map<String, Object> all = new HashMap<>(properties(properties));
        return new SpringApplicationBuilder(PaymentsApplication.class)
                .sources(sources)
                .properties(all)
                .initializers(beans)
                .run();
    }

    /** What the health of the inbox says. */
    static Status health(ApplicationContext application) {
        return Objects.requireNonNull(
                        application.getBean(InboxHealthIndicator.class).health())
                .getStatus();
    }

    /** Starts the application in a JVM of its own. */
    ChildJvm startChild(Map<String, String> properties) {
        return startChild(ChildApplication.class, properties);
    }

    /** Starts a form of the application in a JVM of its own. */
    ChildJvm startChild(Class<?> main, Map<String, String> properties) {
        return ChildJvm.start(main, properties(properties));
    }

    private Map<String, String> properties(Map<String, String> more) {
        Map<String, String> properties = new HashMap<>(database.springProperties());
        properties.put("topic", topic);
        properties.put("group", group);
        properties.put("spring.kafka.bootstrap-servers", KafkaService.bootstrapServers());
        properties.put("spring.kafka.consumer.auto-offset-reset", "earliest");
        properties.put("spring.datasource.hikari.maximum-pool-size", "3");
        properties.put("spring.main.banner-mode", "off");
        properties.put("logging.pattern.console", "%level %logger [%thread] %msg%n");
        properties.put("logging.level.org.apache.kafka", "warn");
        properties.putAll(more);
        return properties;
    }

    /** Also finds a connection that somebody has left open. */
    @Override
    public void close() {
        try (database) {
            await("connections left open")
                    .atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> assertThat(database.openConnections()).isZero());
        }
    }
}
