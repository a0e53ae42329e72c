package io.inboxkit.outbox.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the outbox, and the only place of their defaults.
 *
 * @param schema where the tables are and who makes them
 * @param tablePrefix what the names of all tables begin with; letters, digits and underscores
 */
@ConfigurationProperties(prefix = "outbox", ignoreUnknownFields = false)
public record OutboxProperties(@DefaultValue Schema schema, @DefaultValue("") String tablePrefix) {

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
}
