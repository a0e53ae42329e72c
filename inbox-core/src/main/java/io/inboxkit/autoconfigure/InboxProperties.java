package io.inboxkit.autoconfigure;

import io.inboxkit.ConsumerSettings;
import io.inboxkit.FingerprintMode;
import io.inboxkit.InboxConfigurationException;
import io.inboxkit.ListenerDefaults;
import io.inboxkit.MissingIdPolicy;
import io.inboxkit.ReusedIdPolicy;
import io.inboxkit.StaleAction;
import io.inboxkit.UndeliverableAction;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the inbox, and the only place of their defaults.
 *
 * @param enabled whether IdempotentConsumer annotations are in force; otherwise listeners run as if there were none
 * @param schema where the tables are and who makes them
 * @param tablePrefix what the names of all tables begin with; letters, digits and underscores
 * @param messageId where ids are looked for
 * @param fingerprint what tells a redelivery from a reused id
 * @param claim how a claim waits for a concurrent duplicate
 * @param retention how long ids are kept, unless the consumer says otherwise
 * @param purge how ids older than the retention are deleted
 * @param stale what happens to records that are older than the memory of their consumer
 * @param reject what happens to refused messages
 * @param lease how leased claims end; no effect yet
 * @param transaction how often a transaction is tried
 * @param logMessageIds whether logs show ids as they are; otherwise they are masked
 */
@ConfigurationProperties(prefix = "inbox", ignoreUnknownFields = false)
public record InboxProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue Schema schema,
        @DefaultValue("") String tablePrefix,
        @DefaultValue MessageId messageId,
        @DefaultValue Fingerprint fingerprint,
        @DefaultValue Claim claim,
        @DefaultValue("7d") Duration retention,
        @DefaultValue Purge purge,
        @DefaultValue Stale stale,
        @DefaultValue Reject reject,
        @DefaultValue Lease lease,
        @DefaultValue Transaction transaction,
        @DefaultValue("false") boolean logMessageIds) {

    public InboxProperties {
        require(
                !retention.isNegative()
                        && !retention.isZero()
                        && retention.compareTo(ConsumerSettings.LONGEST_RETENTION) <= 0,
                "retention",
                retention,
                "a positive duration of 36500d at most");
    }

    private static void require(boolean condition, String property, Object value, String expected) {
        if (!condition) {
            throw new InboxConfigurationException(
                    "The property 'inbox." + property + "' is '" + value + "'",
                    "Set inbox." + property + " to " + expected);
        }
    }

    /** What holds for a listener whose annotation says nothing. */
    public ListenerDefaults listenerDefaults() {
        return new ListenerDefaults(
                messageId.headers(),
                messageId.onMissing(),
                fingerprint.mode(),
                fingerprint.onReused(),
                retention,
                reject.withoutDeadLetter(),
                logMessageIds);
    }

    /**
     * Where the tables are.
     *
     * @param mode who makes the tables of the inbox
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
     * Where ids are looked for.
     *
     * @param headers names of the headers in which ids are looked for, in order
     * @param onMissing what happens to a message without an id
     */
    public record MessageId(
            @DefaultValue({"message-id", "ce_id", "cloudEvents:id", "cloudEvents_id", "id"}) List<String> headers,
            @DefaultValue("REJECT") MissingIdPolicy onMissing) {

        public MessageId {
            require(
                    onMissing != MissingIdPolicy.DEFAULT,
                    "message-id.on-missing",
                    onMissing,
                    "REJECT, USE_POSITION, USE_FINGERPRINT or PROCESS");
            require(
                    !headers.isEmpty() && headers.stream().noneMatch(String::isBlank),
                    "message-id.headers",
                    headers,
                    "one name or more, none of them blank");
        }
    }

    /**
     * What tells a redelivery from a reused id.
     *
     * @param mode what the fingerprint is taken of
     * @param onReused what happens to a message with a known id and another payload
     */
    public record Fingerprint(
            @DefaultValue("PAYLOAD") FingerprintMode mode, @DefaultValue("REJECT") ReusedIdPolicy onReused) {

        public Fingerprint {
            require(onReused != ReusedIdPolicy.DEFAULT, "fingerprint.on-reused", onReused, "REJECT or SKIP");
        }
    }

    /**
     * How a claim waits.
     *
     * @param timeout how long a claim waits for a concurrent duplicate; from 1 ms to 1 h
     */
    public record Claim(@DefaultValue("10s") Duration timeout) {}

    /**
     * How old ids are deleted.
     *
     * @param enabled whether this instance deletes ids that are older than their retention
     * @param interval the time between two purges; 1 s or more
     * @param batchSize how many ids are deleted in one transaction; from 1 to 100,000
     * @param margin how much longer than its retention an id is kept, for transactions that are still open
     */
    public record Purge(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("1m") Duration interval,
            @DefaultValue("5000") int batchSize,
            @DefaultValue("1h") Duration margin) {}

    /**
     * What happens to Kafka records that are older than the memory of their consumer: below the floor, not known and not open.
     *
     * @param action what happens to such a record
     */
    public record Stale(@DefaultValue("SKIP") StaleAction action) {}

    /**
     * How leased claims end. Without effect while {@code mode = LEASED} is refused, as in this version.
     *
     * @param duration how long a claim outlives its owner's last sign of life
     * @param maxCrashes after how many attempts that ended their process a message is parked
     */
    public record Lease(@DefaultValue("2m") Duration duration, @DefaultValue("5") int maxCrashes) {

        public Lease {
            require(!duration.isNegative() && !duration.isZero(), "lease.duration", duration, "a positive duration");
            require(maxCrashes >= 1, "lease.max-crashes", maxCrashes, "1 or more");
        }
    }

    /**
     * What happens to refused messages.
     *
     * @param withoutDeadLetter what happens to a refused message if the container has no error handler of the application
     */
    public record Reject(@DefaultValue("HOLD") UndeliverableAction withoutDeadLetter) {}

    /**
     * How often a transaction is tried.
     *
     * @param attempts how often a transaction is run in all, if the database reports a serialisation failure or a deadlock
     */
    public record Transaction(@DefaultValue("3") int attempts) {}
}
