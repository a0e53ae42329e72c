package io.inboxkit.jdbc;

import io.inboxkit.InboxConfigurationException;
import java.util.regex.Pattern;

/**
 * The names of the tables of an inbox.
 *
 * @param schema the schema; empty for the default one of the connection
 * @param prefix what the name of each table begins with; may be empty
 */
public record InboxTables(String schema, String prefix) {

    // Names reach SQL as they are, so only names that need no quotes are taken. 63 bytes is PostgreSQL's limit, and
    // the longest suffix of ours is that of the index of V1__inbox.sql.
    private static final Pattern SCHEMA = Pattern.compile("([a-z_][a-z0-9_]{0,62})?");
    private static final Pattern PREFIX = Pattern.compile("([a-z_][a-z0-9_]{0,29})?");

    public InboxTables {
        if (!SCHEMA.matcher(schema).matches()) {
            throw new InboxConfigurationException(
                    "The property 'inbox.schema.name' is '" + schema + "', which is no plain name of a schema",
                    "Use lower-case letters, digits and underscores, beginning with a letter, 63 characters at most");
        }
        if (!PREFIX.matcher(prefix).matches()) {
            throw new InboxConfigurationException(
                    "The property 'inbox.table-prefix' is '" + prefix + "', which cannot begin the name of a table",
                    "Use lower-case letters, digits and underscores, beginning with a letter, 30 characters at most");
        }
    }

    /** The tables in the default schema, without a prefix. */
    public static InboxTables defaults() {
        return new InboxTables("", "");
    }

    String message() {
        return qualified("inbox_message");
    }

    String consumer() {
        return qualified("inbox_consumer");
    }

    String position() {
        return qualified("inbox_position");
    }

    String open() {
        return qualified("inbox_open");
    }

    String floor() {
        return qualified("inbox_floor");
    }

    String alive() {
        return qualified("inbox_alive");
    }

    String replay() {
        return qualified("inbox_replay");
    }

    String replayPartition() {
        return qualified("inbox_replay_partition");
    }

    String replayFailure() {
        return qualified("inbox_replay_failure");
    }

    String replayMessage() {
        return qualified("inbox_replay_message");
    }

    /** A statement with the names of these tables in the place of theirs in braces. */
    String fill(String statement) {
        return statement
                .replace("{message}", message())
                .replace("{consumer}", consumer())
                .replace("{open}", open())
                .replace("{floor}", floor())
                .replace("{alive}", alive());
    }

    /** The name of the history table of the migrations, without the schema. */
    String history() {
        return prefix + "inbox_schema_history";
    }

    private String qualified(String name) {
        return (schema.isEmpty() ? "" : schema + ".") + prefix + name;
    }
}
