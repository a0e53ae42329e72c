package io.inboxkit.outbox.autoconfigure;

import io.inboxkit.outbox.OutboxConfigurationException;
import io.inboxkit.outbox.relay.RelaySettings;
import io.inboxkit.outbox.relay.RelaySettings.OnParked;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the outbox, and the only place of their defaults.
 *
 * @param schema where the tables are and who makes them
 * @param tablePrefix what the names of all tables begin with; letters, digits and underscores
 * @param relay how the relay works
 */
@ConfigurationProperties(prefix = "outbox", ignoreUnknownFields = false)
public record OutboxProperties(
        @DefaultValue Schema schema, @DefaultValue("") String tablePrefix, @DefaultValue Relay relay) {

    /**
     * Where the tables are.
     *
     * @param mode who makes the tables of the outbox
     * @param name the schema of the tables; empty for the default one of the connection
     */
    public record Schema(@DefaultValue("MIGRATE") SchemaMode mode, @DefaultValue("") String name) {}

    /** Who makes the tables. */
    public enum SchemaMode {
        /** The start of the application does, by Flyway with a history of its own. */
        MIGRATE,
        /** Somebody else did; the start checks that they are complete. */
        VALIDATE,
        /** Somebody else did; nothing is checked. */
        NONE
    }

    /**
     * How the relay works.
     *
     * @param enabled whether a relay runs in this application
     * @param batchSize how many messages are read or removed by one statement; from 1 to 10,000
     * @param workers how many threads publish; from 1 to 32
     * @param pollInterval how often is looked for messages where no signal of writers comes
     * @param wakeup how writers wake the relay
     * @param lease how long a relay that gives no sign of life keeps its share; at least twice the send timeout
     * @param maxAttempts after how many attempts a message that is at fault is parked
     * @param onParked what happens to later messages of a parked message's key
     * @param sendTimeout how long the broker may take to confirm a message
     * @param keepPublished how long published messages are kept; zero to delete them at once
     * @param maxAge how long a message may wait until health is DOWN
     * @param kafka how is published to Kafka
     */
    public record Relay(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("500") int batchSize,
            @DefaultValue("2") int workers,
            @DefaultValue("100ms") Duration pollInterval,
            @DefaultValue Wakeup wakeup,
            @DefaultValue("30s") Duration lease,
            @DefaultValue("10") int maxAttempts,
            @DefaultValue("HOLD_KEY") OnParked onParked,
            @DefaultValue("10s") Duration sendTimeout,
            @DefaultValue("0") Duration keepPublished,
            @DefaultValue("5m") Duration maxAge,
            @DefaultValue Kafka kafka) {

        public Relay {
            require(!keepPublished.isNegative(), "keep-published", keepPublished, "zero or more");
            require(!maxAge.isNegative() && !maxAge.isZero(), "max-age", maxAge, "a positive duration");
        }

        private static void require(boolean condition, String property, Object value, String expected) {
            if (!condition) {
                throw new OutboxConfigurationException(
                        "The property 'outbox.relay." + property + "' is '" + value + "'",
                        "Set outbox.relay." + property + " to " + expected);
            }
        }

        RelaySettings settings() {
            return new RelaySettings(batchSize, workers, pollInterval, lease, maxAttempts, onParked, sendTimeout);
        }
    }

    /**
     * How writers wake the relay.
     *
     * @param url the JDBC address of a direct connection to the database; empty for the application's DataSource
     */
    public record Wakeup(@DefaultValue("") String url) {}

    /**
     * How is published to Kafka.
     *
     * @param allowTopicCreation whether the broker may make topics as they are used; otherwise a topic that is not there is a fault
     */
    public record Kafka(@DefaultValue("false") boolean allowTopicCreation) {}
}
