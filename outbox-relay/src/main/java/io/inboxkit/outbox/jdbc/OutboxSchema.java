package io.inboxkit.outbox.jdbc;

import io.inboxkit.outbox.OutboxConfigurationException;
import java.util.Arrays;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * The schema of the outbox, migrated by Flyway with a history table of its own: it neither sees nor touches the migrations of
 * the application. Several instances may start at once.
 */
public final class OutboxSchema {

    private final OutboxTables tables;
    private final Flyway flyway;

    /**
     * @param dataSource where the tables are
     * @param tables their names
     */
    public OutboxSchema(DataSource dataSource, OutboxTables tables) {
        this.tables = tables;
        FluentConfiguration configuration = Flyway.configure(OutboxSchema.class.getClassLoader())
                .dataSource(dataSource)
                .locations("classpath:io/inboxkit/outbox/migration")
                .table(tables.history())
                // The schema is full of the application's own tables when the outbox is added.
                .baselineOnMigrate(true)
                .baselineVersion("0")
                // A comment as the placeholder: so the scripts run by hand as they are.
                .placeholderPrefix("/*")
                .placeholderSuffix("*/")
                .placeholders(Map.of("prefix", tables.prefix()))
                // Session-level advisory locks hang behind a pooler that pools transactions.
                .configuration(Map.of("flyway.postgresql.transactional.lock", "true"));
        if (!tables.schema().isEmpty()) {
            configuration
                    .schemas(tables.schema())
                    .defaultSchema(tables.schema())
                    .createSchemas(true);
        }
        this.flyway = configuration.load();
    }

    /** Brings the tables up to date, and makes the schema if there is none of its name. */
    public void migrate() {
        flyway.migrate();
    }

    /**
     * Checks that the tables are up to date.
     *
     * @throws OutboxConfigurationException if they are not
     */
    public void validate() {
        MigrationInfo[] pending = flyway.info().pending();
        if (pending.length > 0) {
            throw new OutboxConfigurationException(
                    "The tables of the outbox (" + tables.message() + " and others) are not up to date: missing "
                            + Arrays.stream(pending)
                                    .map(MigrationInfo::getScript)
                                    .toList()
                            + " according to the history table '" + tables.history() + "'",
                    "Run the migration scripts of io/inboxkit/outbox/migration in the jar of outbox-relay by Flyway with this "
                            + "history table, or set outbox.schema.mode to MIGRATE, or to NONE if nothing is to be checked");
        }
        flyway.validate();
    }
}
