package io.inboxkit.outbox.jdbc;

import io.inboxkit.outbox.OwnedPartition;
import io.inboxkit.outbox.RelayPartitions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;

/** Who owns which partition, on PostgreSQL. Thread-safe. */
public final class JdbcRelayPartitions implements RelayPartitions {

    private final Statements statements;
    private final PartitionSql sql;

    /**
     * @param dataSource where the outbox is
     * @param tables the names of the tables
     */
    public JdbcRelayPartitions(DataSource dataSource, OutboxTables tables) {
        this.statements = new Statements(dataSource);
        this.sql = new PartitionSql(tables);
    }

    @Override
    public void join(String relay, Duration lease) {
        statements.update(sql.join, parameters -> parameters.add(relay).add(lease.toMillis()));
    }

    @Override
    public boolean renew(String relay, Duration lease) {
        return statements.update(
                        sql.renew,
                        parameters -> parameters.add(lease.toMillis()).add(relay))
                == 1;
    }

    @Override
    public Shares shares(String relay) {
        return statements.query(sql.shares, parameters -> {}, rows -> {
            List<OwnedPartition> owned = new ArrayList<>();
            int total = 0;
            int free = 0;
            int relays = 0;
            while (rows.next()) {
                total++;
                relays = rows.getInt(6);
                if (!rows.getBoolean(5)) {
                    free++;
                } else if (relay.equals(rows.getString(2))) {
                    owned.add(partition(rows));
                }
            }
            return new Shares(owned, relays, total, free);
        });
    }

    @Override
    public List<OwnedPartition> take(String relay, int most) {
        return statements.query(sql.take, parameters -> parameters.add(most).add(relay), rows -> {
            List<OwnedPartition> taken = new ArrayList<>();
            while (rows.next()) {
                taken.add(partition(rows));
            }
            return taken;
        });
    }

    @Override
    public void release(Collection<OwnedPartition> partitions) {
        for (OwnedPartition partition : partitions) {
            statements.update(sql.release, parameters -> parameters
                    .smallints(List.of(partition.number()))
                    .add(partition.owner()));
        }
    }

    @Override
    public void leave(String relay) {
        statements.update(sql.releaseAll, parameters -> parameters.add(relay));
        statements.update(sql.leave, parameters -> parameters.add(relay));
    }

    private static OwnedPartition partition(ResultSet rows) throws SQLException {
        return new OwnedPartition(rows.getInt(1), rows.getString(2), rows.getLong(3), rows.getLong(4));
    }
}
