package io.inboxkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.inboxkit.InboxMessage;
import io.inboxkit.Position;
import io.inboxkit.testkit.RoundTrips;
import io.inboxkit.testkit.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** What a message costs, counted in front of the server. */
class RoundTripsIT {

    private static final TestDatabase database = TestDatabase.create();
    private static final RoundTrips roundTrips = database.roundTrips();
    private static final HikariDataSource pool = database.pool(1, database.url(roundTrips));
    private static final JdbcInbox inbox = inbox();

    private static JdbcInbox inbox() {
        // Flyway takes two connections.
        new InboxSchema(database.dataSource(), InboxTables.defaults()).migrate();
        return JdbcInbox.builder(pool, new JdbcTransactionManager(pool))
                .migrate(false)
                .build();
    }

    @BeforeEach
    void warmUp() {
        // Beyond the fifth use the driver prepares statements on the server.
        for (int i = 0; i < 10; i++) {
            String id = UUID.randomUUID().toString();
            inbox.process(message(id), () -> {});
            inbox.process(message(id), () -> {});
            inbox.processAll(messages(2), fresh -> {});
            inbox.process(TestPosition.message("p", i), () -> {});
            inbox.process(TestPosition.message("p", i), () -> {});
        }
        roundTrips.reset();
    }

    @AfterAll
    static void close() {
        pool.close();
        roundTrips.close();
        database.close();
    }

    @Test
    void newMessageCostsClaimAndCommit() {
        inbox.process(message("new"), () -> {});

        assertThat(roundTrips.count()).as("%s", roundTrips.statements()).isEqualTo(2);
    }

    @Test
    void duplicateCostsClaimAndRollback() {
        inbox.process(message("twice"), () -> {});
        roundTrips.reset();

        inbox.process(message("twice"), () -> {});

        assertThat(roundTrips.count()).as("%s", roundTrips.statements()).isEqualTo(2);
    }

    @Test
    void statementsOfTheHandlerComeOnTop() {
        JdbcTemplate jdbc = new JdbcTemplate(pool);

        inbox.process(message("handler"), () -> jdbc.queryForObject("select 1", Integer.class));

        assertThat(roundTrips.count()).as("%s", roundTrips.statements()).isEqualTo(3);
    }

    @Test
    void listOfMessagesCostsAsMuchAsOne() {
        // As many as reach the counter in one piece.
        inbox.processAll(messages(50), fresh -> {});

        assertThat(roundTrips.count()).as("%s", roundTrips.statements()).isEqualTo(2);
    }

    @Test
    void positionCostsAsMuchAsAnId() {
        inbox.process(TestPosition.message("p", 1000), () -> {});
        assertThat(roundTrips.count()).as("%s", roundTrips.statements()).isEqualTo(2);
        roundTrips.reset();

        inbox.process(TestPosition.message("p", 1000), () -> {});
        assertThat(roundTrips.count()).as("%s", roundTrips.statements()).isEqualTo(2);
    }

    @Test
    void listOfPositionsCostsOneStatementForEachPartition() {
        inbox.processAll(TestPosition.messages("p", 0, 2000, 2500), fresh -> {});
        assertThat(roundTrips.count()).as("%s", roundTrips.statements()).isEqualTo(2);
        roundTrips.reset();

        List<InboxMessage> both = new ArrayList<>(TestPosition.messages("p", 0, 2400, 2600));
        both.addAll(TestPosition.messages("p", 1, 0, 100));
        inbox.processAll(both, fresh -> {});
        assertThat(roundTrips.count()).as("%s", roundTrips.statements()).isEqualTo(3);
    }

    private static List<InboxMessage> messages(int count) {
        return Stream.generate(() -> message(UUID.randomUUID().toString()))
                .limit(count)
                .toList();
    }

    private static InboxMessage message(String id) {
        return InboxMessage.of("c", id)
                .position(new Position(UUID.randomUUID(), 0, 1))
                .fingerprint("payload".getBytes(StandardCharsets.UTF_8));
    }
}
