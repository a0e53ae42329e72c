package io.inboxkit.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

class PostgresServiceIT {

    @Test
    void everyDatabaseIsEmptyAndGoesWhenItIsClosed() {
        TestDatabase first = TestDatabase.create();
        first.jdbc().execute("CREATE TABLE effect (name text)");
        try (TestDatabase second = TestDatabase.create()) {
            assertThat(second.jdbc().queryForObject("SELECT to_regclass('effect')", String.class))
                    .isNull();
            first.close();
            assertThat(second.jdbc()
                            .queryForList("SELECT datname FROM pg_database WHERE datname LIKE 't\\_%'", String.class))
                    .contains(second.name())
                    .doesNotContain(first.name());
        }
    }

    @Test
    void sessionsAreInAnotherTimeZoneThanTheJvm() {
        try (TestDatabase database = TestDatabase.create();
                HikariDataSource pool = database.pool(2)) {
            assertThat(database.jdbc().queryForObject("SHOW timezone", String.class))
                    .isEqualTo("America/St_Johns");
            assertThat(new JdbcTemplate(pool).queryForObject("SHOW timezone", String.class))
                    .isEqualTo("America/St_Johns");
        }
    }
}
