package io.inboxkit.outbox.relay;

import com.zaxxer.hikari.HikariDataSource;
import io.inboxkit.outbox.BrokerPublisher;
import io.inboxkit.outbox.CurrentTrace;
import io.inboxkit.outbox.JacksonPayloadWriter;
import io.inboxkit.outbox.MessageForm;
import io.inboxkit.outbox.Outbox;
import io.inboxkit.outbox.OutboxMessage;
import io.inboxkit.outbox.RelayObserver;
import io.inboxkit.outbox.jdbc.JdbcOutbox;
import io.inboxkit.outbox.jdbc.JdbcRelayMessages;
import io.inboxkit.outbox.jdbc.JdbcRelayPartitions;
import io.inboxkit.outbox.jdbc.OutboxSchema;
import io.inboxkit.outbox.jdbc.OutboxTables;
import io.inboxkit.outbox.jdbc.WakeUpReceiver;
import io.inboxkit.outbox.jdbc.WakeUpSender;
import io.inboxkit.outbox.kafka.KafkaPublisher;
import io.inboxkit.outbox.relay.RelaySettings.OnParked;
import io.inboxkit.testkit.KafkaService;
import io.inboxkit.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** A fresh database with an outbox, and relays on it that publish to Kafka; for one test class. */
final class RelayFixture implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {

    static final Duration SEND_TIMEOUT = Duration.ofSeconds(2);

    static final RelaySettings SETTINGS = new RelaySettings(
            500, 2, Duration.ofMillis(100), Duration.ofSeconds(6), 3, OnParked.HOLD_KEY, SEND_TIMEOUT);

    final TestDatabase database = TestDatabase.create();
    final HikariDataSource dataSource = database.pool(20);
    final JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
    final TransactionTemplate transactions = new TransactionTemplate(manager);
    final JdbcTemplate jdbc = database.jdbc();
    final WakeUpSender wakeUps = new WakeUpSender(dataSource);
    final Outbox outbox = new JdbcOutbox(
            dataSource,
            manager,
            OutboxTables.defaults(),
            new MessageForm(new JacksonPayloadWriter(JsonMapper.shared()), CurrentTrace.NONE),
            wakeUps);
    private final List<AutoCloseable> open = new ArrayList<>();
    private final AtomicInteger number = new AtomicInteger();

    /** Settings with which parked messages, or whatever, are treated otherwise. */
    static RelaySettings settings(OnParked onParked, int batchSize) {
        return new RelaySettings(
                batchSize,
                SETTINGS.workers(),
                SETTINGS.pollInterval(),
                SETTINGS.lease(),
                SETTINGS.maxAttempts(),
                onParked,
                SEND_TIMEOUT);
    }

    static KafkaPublisher kafka(String bootstrapServers) {
        return new KafkaPublisher(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers), SEND_TIMEOUT, false);
    }

    Relay start() {
        return start(SETTINGS, kafka(KafkaService.bootstrapServers()));
    }

    Relay start(RelaySettings settings, BrokerPublisher... publishers) {
        return start(dataSource, settings, publishers);
    }

    Relay start(DataSource source, RelaySettings settings, BrokerPublisher... publishers) {
        Relay relay = new Relay(
                "relay-" + number.incrementAndGet(),
                settings,
                new JdbcRelayPartitions(source, OutboxTables.defaults()),
                new JdbcRelayMessages(source, OutboxTables.defaults(), false),
                new WakeUpReceiver(source, source),
                List.of(publishers),
                RelayObserver.NONE);
        for (BrokerPublisher publisher : publishers) {
            open.add(0, publisher);
        }
        open.add(0, relay::stop);
        relay.start();
        return relay;
    }

    String publish(OutboxMessage message) {
        return Objects.requireNonNull(transactions.execute(status -> outbox.publish(message)));
    }

    void publishAll(List<OutboxMessage> messages) {
        transactions.executeWithoutResult(status -> outbox.publishAll(messages));
    }

    int waiting() {
        return count("select count(*) from outbox_message");
    }

    int parked() {
        return count("select count(*) from outbox_parked");
    }

    int count(String query) {
        return Objects.requireNonNull(jdbc.queryForObject(query, Integer.class));
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        new OutboxSchema(dataSource, OutboxTables.defaults()).migrate();
        wakeUps.start();
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        open.clear();
        jdbc.execute("truncate outbox_message, outbox_parked");
    }

    @Override
    public void afterAll(ExtensionContext context) {
        wakeUps.stop();
        dataSource.close();
        database.close();
    }
}
