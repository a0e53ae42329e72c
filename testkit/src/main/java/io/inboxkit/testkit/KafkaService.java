package io.inboxkit.testkit;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * The Kafka broker of the tests: started when it is first asked for, once per JVM, and stopped with the JVM.
 *
 * <p>In this order: the address in {@code INBOX_TEST_KAFKA_BOOTSTRAP_SERVERS}, a container of
 * {@code INBOX_TEST_KAFKA_IMAGE} (default {@code apache/kafka:4.2.0}), a KRaft broker in this JVM. Topics are not created by
 * use and groups form without delay. What a test does with the broker is in {@link KafkaTopics}.
 */
public final class KafkaService {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaService.class);

    private static final Map<String, String> BROKER = Map.of(
            "auto.create.topics.enable", "false",
            "delete.topic.enable", "true",
            "group.initial.rebalance.delay.ms", "0",
            "offsets.topic.num.partitions", "5",
            "offsets.topic.replication.factor", "1",
            "transaction.state.log.num.partitions", "5",
            "transaction.state.log.replication.factor", "1",
            "transaction.state.log.min.isr", "1",
            "share.coordinator.state.topic.replication.factor", "1",
            "share.coordinator.state.topic.min.isr", "1");

    private KafkaService() {}

    /** For {@code spring.kafka.bootstrap-servers}. */
    public static String bootstrapServers() {
        return Holder.BOOTSTRAP_SERVERS;
    }

    /** Shared and never closed by its users. */
    static Admin admin() {
        return Clients.ADMIN;
    }

    private static String find() {
        String given = ServiceSource.setting("INBOX_TEST_KAFKA_BOOTSTRAP_SERVERS");
        if (given != null) {
            return log("an address from the environment", given);
        }
        return ServiceSource.start("kafka", () -> switch (ServiceSource.find()) {
            case TESTCONTAINERS -> log("Testcontainers", container());
            case EMBEDDED -> log("a broker in this JVM", embedded());
        });
    }

    private static String log(String source, String bootstrapServers) {
        LOG.info("Kafka for tests: {}, {}", source, bootstrapServers);
        return bootstrapServers;
    }

    private static String container() {
        String image = ServiceSource.setting("INBOX_TEST_KAFKA_IMAGE", "apache/kafka:4.2.0");
        KafkaContainer container =
                new KafkaContainer(DockerImageName.parse(image).asCompatibleSubstituteFor("apache/kafka"));
        BROKER.forEach((name, value) -> container.addEnv(environmentVariable(name), value));
        container.start();
        ServiceSource.atExit("kafka", container::stop);
        return container.getBootstrapServers();
    }

    /** How the image takes a property of the broker. */
    private static String environmentVariable(String property) {
        return "KAFKA_" + property.replace('.', '_').toUpperCase(Locale.ROOT);
    }

    private static String embedded() {
        EmbeddedKafkaKraftBroker broker = new EmbeddedKafkaKraftBroker(1, 1);
        broker.brokerProperties(BROKER);
        // By default it would set spring.kafka.bootstrap-servers for the whole JVM, which no other source does.
        broker.brokerListProperty("inbox.test.kafka.embedded");
        // Kafka's broker reads its own settings in the language of the JVM, and does not start in Turkish.
        Locale locale = Locale.getDefault();
        Locale.setDefault(Locale.ROOT);
        try {
            broker.afterPropertiesSet();
        } finally {
            Locale.setDefault(locale);
        }
        ServiceSource.atExit("kafka", broker::destroy);
        return broker.getBrokersAsString();
    }

    private static final class Holder {
        static final String BOOTSTRAP_SERVERS = find();
    }

    private static Admin newAdmin() {
        Admin admin = Admin.create(Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers()));
        ServiceSource.atExit("kafka-admin", () -> admin.close(Duration.ZERO));
        return admin;
    }

    private static final class Clients {
        static final Admin ADMIN = ServiceSource.start("kafka", KafkaService::newAdmin);
    }
}
