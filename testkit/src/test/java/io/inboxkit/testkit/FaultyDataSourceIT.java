package io.inboxkit.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

class FaultyDataSourceIT {

    private static final TestDatabase database = TestDatabase.create();

    @RegisterExtension
    static final LeakCheck leaks = LeakCheck.of(database);

    private final FaultyDataSource faulty = new FaultyDataSource(database.dataSource());
    private final HikariDataSource pool = database.pool(2, faulty);

    @BeforeEach
    void createTable() {
        database.jdbc().execute("CREATE TABLE IF NOT EXISTS effect (name text)");
        database.jdbc().execute("TRUNCATE effect");
        faulty.log().reset();
    }

    @AfterEach
    void closePool() {
        pool.close();
    }

    @Test
    void whatIsCutBeforeTheCommitIsNotThere() {
        failsAt(Fault.at(Fault.Point.BEFORE_COMMIT));
        assertThat(effects()).isEmpty();
        assertThat(faulty.log().commits()).isZero();
    }

    @Test
    void whatIsCutDuringTheCommitIsThereAllTheSame() {
        failsAt(Fault.at(Fault.Point.DURING_COMMIT));
        assertThat(effects()).containsExactly("a");
    }

    @Test
    void aCutAfterTheCommitIsSeenByTheNextUserOnly() {
        faulty.arm(Fault.at(Fault.Point.AFTER_COMMIT));
        insert("a");
        insert("b");
        assertThat(faulty.hasStruck()).isTrue();
        assertThat(effects()).containsExactly("a", "b");
        assertThat(faulty.log().commits()).isEqualTo(2);
    }

    @Test
    void anErrorAtAStatementLeavesTheConnectionAsItIs() {
        faulty.arm(Fault.atStatement("INTO effect").error("40001"));
        assertThatThrownBy(() -> insert("a")).cause().isInstanceOfSatisfying(SQLException.class, e -> assertThat(
                        e.getSQLState())
                .isEqualTo("40001"));
        assertThat(faulty.log().statements()).containsExactly("insert into effect values ('a')");
        assertThat(effects()).isEmpty();
    }

    @Test
    void aFaultStrikesOnceAtTheNumberedStatement() {
        faulty.arm(Fault.atStatement(2));
        insert("a");
        assertThatThrownBy(() -> insert("b"));
        insert("c");
        assertThat(effects()).containsExactly("a", "c");
        assertThat(faulty.log().maxOpen()).isBetween(1, 2);
    }

    private void failsAt(Fault fault) {
        faulty.arm(fault);
        assertThatThrownBy(() -> insert("a")).isInstanceOf(RuntimeException.class);
    }

    private void insert(String name) {
        new TransactionTemplate(new JdbcTransactionManager(pool)).executeWithoutResult(status -> new JdbcTemplate(pool)
                .execute("insert into effect values ('" + name + "')"));
    }

    private static List<String> effects() {
        return database.jdbc().queryForList("SELECT name FROM effect ORDER BY name", String.class);
    }
}
