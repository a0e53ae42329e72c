package io.inboxkit.outbox.jdbc;

import io.inboxkit.outbox.OutboxConfigurationException;
import io.inboxkit.outbox.OutboxConfigurationException.Finding;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;

/** Looks, before a relay starts, for what would keep messages from it without a word. */
public final class RelayStartCheck {

    private static final Logger LOG = LoggerFactory.getLogger(RelayStartCheck.class);

    /** Reads the catalogue. */
    private static final String HIDES_ROWS = "select row_security_active(?)";

    /** Finds nothing, over the index on (xid, seq), unless rows came from another cluster: no visible row is of the future. */
    private static final String REPAIR =
            """
            update {message} set xid = pg_current_xact_id()
            where xid >= (select pg_snapshot_xmax(pg_current_snapshot()))
            """;

    private final JdbcTemplate jdbc;
    private final OutboxTables tables;

    /**
     * @param dataSource where the outbox is
     * @param tables the names of the tables
     */
    public RelayStartCheck(DataSource dataSource, OutboxTables tables) {
        this.jdbc = new JdbcTemplate(dataSource);
        this.tables = tables;
    }

    /**
     * Checks, and repairs the transaction numbers of rows that were restored or copied from another cluster.
     *
     * @throws OutboxConfigurationException if row-level security hides rows from the relay
     */
    public void run() {
        List<Finding> findings = new ArrayList<>();
        for (String table : List.of(tables.message(), tables.parked(), tables.partition(), tables.relay())) {
            if (Boolean.TRUE.equals(jdbc.queryForObject(HIDES_ROWS, Boolean.class, table))) {
                findings.add(new Finding(
                        "Row-level security of the table " + table
                                + " may hide rows from the user of the relay, whose messages would never be published",
                        "Grant the user BYPASSRLS, make it the owner of the table without FORCE ROW LEVEL SECURITY, or disable "
                                + "row-level security there"));
            }
        }
        if (!findings.isEmpty()) {
            throw new OutboxConfigurationException(findings);
        }
        int repaired = jdbc.update(tables.fillIn(REPAIR));
        if (repaired > 0) {
            LOG.info(
                    "{} messages carried transaction numbers of another database cluster, from a restored dump perhaps, and "
                            + "have got new ones",
                    repaired);
        }
    }
}
