package io.inboxkit.outbox.relay;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.inboxkit.outbox.RelayObserver;
import io.inboxkit.outbox.jdbc.JdbcRelayMessages;
import io.inboxkit.outbox.jdbc.JdbcRelayPartitions;
import io.inboxkit.outbox.jdbc.OutboxTables;
import io.inboxkit.outbox.jdbc.WakeUpReceiver;
import io.inboxkit.outbox.kafka.KafkaPublisher;
import io.inboxkit.outbox.relay.RelaySettings.OnParked;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.postgresql.ds.PGSimpleDataSource;

/** A relay in a process of its own, to be killed or frozen. */
final class RelayProcess {

    static final RelaySettings SETTINGS = new RelaySettings(
            200, 2, Duration.ofMillis(100), Duration.ofSeconds(4), 10, OnParked.HOLD_KEY, Duration.ofMillis(1500));

    private RelayProcess() {}

    /** The address, user and password of the database, and the address of Kafka. */
    public static void main(String[] arguments) {
        PGSimpleDataSource postgres = new PGSimpleDataSource();
        postgres.setUrl(arguments[0]);
        postgres.setUser(arguments[1]);
        postgres.setPassword(arguments[2]);
        HikariConfig config = new HikariConfig();
        config.setDataSource(postgres);
        config.setMaximumPoolSize(6);
        HikariDataSource pool = new HikariDataSource(config);
        KafkaPublisher kafka = new KafkaPublisher(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, arguments[3]), SETTINGS.sendTimeout(), false);
        OutboxTables tables = OutboxTables.defaults();
        Relay relay = new Relay(
                "process",
                SETTINGS,
                new JdbcRelayPartitions(pool, tables),
                new JdbcRelayMessages(pool, tables, false),
                new WakeUpReceiver(pool, pool),
                List.of(kafka),
                RelayObserver.NONE);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            relay.stop();
            kafka.close();
            pool.close();
            System.out.println("stopped");
        }));
        relay.start();
        System.out.println("started");
    }
}
