package io.inboxkit.outbox.jdbc;

import io.inboxkit.outbox.OutboxConfigurationException;
import java.util.regex.Pattern;

/**
 * The names of the tables of an outbox.
 *
 * @param schema the schema; empty for the default one of the connection
 * @param prefix what the name of each table begins with; may be empty
 */
public record OutboxTables(String schema, String prefix) {

    // Names reach SQL as they are, so only names that need no quotes are taken. 63 bytes is PostgreSQL's limit, and
    // the longest suffix of ours is that of a day's part of the published messages.
    private static final Pattern SCHEMA = Pattern.compile("([a-z_][a-z0-9_]{0,62})?");
    private static final Pattern PREFIX = Pattern.compile("([a-z_][a-z0-9_]{0,29})?");

    public OutboxTables {
        if (!SCHEMA.matcher(schema).matches()) {
            throw new OutboxConfigurationException(
                    "The property 'outbox.schema.name' is '" + schema + "', which is no plain name of a schema",
                    "Use lower-case letters, digits and underscores, beginning with a letter, 63 characters at most");
        }
        if (!PREFIX.matcher(prefix).matches()) {
            throw new OutboxConfigurationException(
                    "The property 'outbox.table-prefix' is '" + prefix + "', which cannot begin the name of a table",
                    "Use lower-case letters, digits and underscores, beginning with a letter, 30 characters at most");
        }
    }

    /** The tables in the default schema, without a prefix. */
    public static OutboxTables defaults() {
        return new OutboxTables("", "");
    }

    String message() {
        return qualified("outbox_message");
    }

    /** The name of the history table of the migrations, without the schema. */
    String history() {
        return prefix + "outbox_schema_history";
    }

    private String qualified(String name) {
        return (schema.isEmpty() ? "" : schema + ".") + prefix + name;
    }
}
