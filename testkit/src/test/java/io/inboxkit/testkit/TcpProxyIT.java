package io.inboxkit.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TcpProxyIT {

    private static final TestDatabase database = TestDatabase.create();

    @RegisterExtension
    static final LeakCheck leaks = LeakCheck.of(database);

    @Test
    void aCutEndsConnectionsAndRefusesNewOnesUntilItIsRestored() throws SQLException {
        try (TcpProxy proxy = database.proxy();
                Connection connection = connect(proxy)) {
            proxy.cut();
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> select(connection));
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> connect(proxy).close());

            proxy.restore();
            try (Connection again = connect(proxy)) {
                select(again);
            }
        }
    }

    @Test
    void whatIsSentWhileItIsFrozenArrivesLater() throws Exception {
        try (TcpProxy proxy = database.proxy();
                Connection connection = connect(proxy)) {
            proxy.freeze();
            CompletableFuture<Void> query = CompletableFuture.runAsync(() -> select(connection));
            assertThat(query).isNotDone();

            proxy.restore();
            query.get();
        }
    }

    @Test
    void oneInsertAndCommitAreTwoRoundTripsOnceTheStatementIsPrepared() throws SQLException {
        database.jdbc().execute("CREATE TABLE effect (name text)");
        try (RoundTrips proxy = database.roundTrips();
                Connection connection = connect(proxy);
                PreparedStatement insert = connection.prepareStatement("INSERT INTO effect VALUES (?)")) {
            connection.setAutoCommit(false);
            // The fifth time, the driver asks for a description before it prepares the statement on the server.
            for (int i = 0; i < 6; i++) {
                proxy.reset();
                insert.setString(1, "e" + i);
                insert.execute();
                connection.commit();
            }

            assertThat(proxy.statements()).containsExactly("BEGIN", "INSERT INTO effect VALUES ($1)", "COMMIT");
            assertThat(proxy.count()).isEqualTo(2);
        }
    }

    private static Connection connect(TcpProxy proxy) throws SQLException {
        return database.dataSource(database.url(proxy)).getConnection();
    }

    private static void select(Connection connection) {
        try (PreparedStatement select = connection.prepareStatement("SELECT 1")) {
            select.execute();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
