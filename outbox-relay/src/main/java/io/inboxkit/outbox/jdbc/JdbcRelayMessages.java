package io.inboxkit.outbox.jdbc;

import io.inboxkit.outbox.Destination;
import io.inboxkit.outbox.OutboxHeader;
import io.inboxkit.outbox.RelayMessages;
import io.inboxkit.outbox.StoredMessage;
import io.inboxkit.outbox.WaitingMessage;
import io.inboxkit.outbox.jdbc.Statements.Parameters;
import java.nio.BufferUnderflowException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The messages of an outbox on PostgreSQL, for relays. Thread-safe. */
public final class JdbcRelayMessages implements RelayMessages {

    /** How much is read at once, about. */
    private static final long PAGE_BYTES = 8L << 20;

    private final Statements statements;
    private final RelaySql sql;

    /**
     * @param dataSource where the outbox is
     * @param tables the names of the tables
     * @param keepPublished whether published messages are moved to those that are kept; otherwise they are deleted
     */
    public JdbcRelayMessages(DataSource dataSource, OutboxTables tables, boolean keepPublished) {
        this.statements = new Statements(dataSource);
        this.sql = new RelaySql(tables, keepPublished);
    }

    @Override
    public Pass begin(@Nullable String previous) {
        if (previous == null) {
            return statements.query(sql.snapshot, parameters -> {}, rows -> {
                rows.next();
                return new Pass(rows.getString(1), Long.MAX_VALUE);
            });
        }
        Snapshot before = Snapshot.parse(previous);
        return statements.query(
                sql.begin, parameters -> parameters.add(before.underWay()).add(before.xmax()), rows -> {
                    rows.next();
                    long first = rows.getLong(2);
                    return new Pass(rows.getString(1), rows.wasNull() ? Long.MAX_VALUE : first - 1);
                });
    }

    @Override
    public Page read(Query query) {
        Destination destination = query.destination();
        String statement = query.lane() != null ? sql.readLane : destination != null ? sql.readDestination : sql.read;
        return statements.query(
                statement,
                parameters -> {
                    parameters
                            .add(query.after())
                            .smallints(query.partitions())
                            .add(query.visibleIn())
                            .add(Objects.requireNonNullElse(query.notIn(), Snapshot.NOTHING))
                            .bigints(query.withoutLanes())
                            .texts(query.withoutDestinations().stream()
                                    .map(Destination::toString)
                                    .toList());
                    if (query.lane() != null) {
                        parameters.add(query.lane());
                    } else if (destination != null) {
                        parameters.add(destination.scheme()).add(destination.name());
                    }
                    parameters.add(query.limit()).add(PAGE_BYTES);
                },
                rows -> page(rows, query.limit()));
    }

    private static Page page(ResultSet rows, int limit) throws SQLException {
        List<WaitingMessage> messages = new ArrayList<>();
        Map<String, Destination> destinations = new HashMap<>();
        long found = 0;
        while (rows.next()) {
            messages.add(message(rows, destinations));
            found = rows.getLong(14);
        }
        return new Page(messages, found < limit && found == messages.size());
    }

    private static WaitingMessage message(ResultSet rows, Map<String, Destination> destinations) throws SQLException {
        long lane = rows.getLong(3);
        Long laneOrNull = rows.wasNull() ? null : lane;
        String scheme = rows.getString(7);
        String name = rows.getString(8);
        // Mostly the same few on one page.
        Destination destination = destinations.computeIfAbsent(name, key -> new Destination(scheme, name));
        if (!destination.scheme().equals(scheme)) {
            destination = new Destination(scheme, name);
        }
        List<OutboxHeader> headers = List.of();
        String problem = null;
        try {
            headers = HeaderBytes.read(rows.getBytes(12));
        } catch (BufferUnderflowException | NegativeArraySizeException e) {
            problem = "The column 'headers' was not written by the outbox: " + e;
        }
        StoredMessage message = new StoredMessage(
                rows.getString(6),
                destination,
                rows.getBytes(9),
                rows.getString(10),
                rows.getString(11),
                headers,
                rows.getBytes(13));
        return new WaitingMessage(
                rows.getLong(1),
                rows.getInt(2),
                laneOrNull,
                rows.getInt(4),
                Duration.of(rows.getLong(5), ChronoUnit.MICROS),
                message,
                problem);
    }

    @Override
    public void published(Collection<Long> seqs) {
        statements.update(sql.published, parameters -> parameters.bigints(seqs));
    }

    @Override
    public Set<Long> failed(Collection<Fault> faults) {
        return statements.query(sql.failed, parameters -> bind(parameters, faults), JdbcRelayMessages::numbers);
    }

    @Override
    public Set<Long> park(Collection<Fault> faults) {
        return statements.query(sql.park, parameters -> bind(parameters, faults), JdbcRelayMessages::numbers);
    }

    private static void bind(Parameters parameters, Collection<Fault> faults) throws SQLException {
        parameters
                .bigints(each(faults, Fault::seq))
                .smallints(each(faults, fault -> fault.owned().number()))
                .texts(each(faults, fault -> fault.owned().owner()))
                .bigints(each(faults, fault -> fault.owned().epoch()))
                .smallints(each(faults, fault -> Math.min(fault.attempts(), Short.MAX_VALUE)))
                .texts(each(faults, fault -> fault.error().replace('\0', ' ')));
    }

    private static <T> List<T> each(Collection<Fault> faults, Function<Fault, T> part) {
        return faults.stream().map(part).toList();
    }

    private static Set<Long> numbers(ResultSet rows) throws SQLException {
        Set<Long> numbers = new HashSet<>();
        while (rows.next()) {
            numbers.add(rows.getLong(1));
        }
        return numbers;
    }

    @Override
    public Map<Integer, Set<Long>> lanesWithParked(Collection<Integer> partitions) {
        return statements.query(sql.lanesWithParked, parameters -> parameters.smallints(partitions), rows -> {
            Map<Integer, Set<Long>> lanes = new HashMap<>();
            while (rows.next()) {
                lanes.computeIfAbsent(rows.getInt(1), key -> new HashSet<>()).add(rows.getLong(2));
            }
            return lanes;
        });
    }
}
