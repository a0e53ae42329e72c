package io.inboxkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.inboxkit.InboxConfigurationException;
import io.inboxkit.InboxMessage;
import io.inboxkit.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

class InboxSchemaIT {

    @RegisterExtension
    static final InboxDatabase database = new InboxDatabase();

    @Test
    void schemaAndPrefixHoldForEveryTable() {
        InboxTables tables = new InboxTables("messaging", "app_");
        JdbcInbox inbox = database.builder().tables(tables).build();

        assertThat(inbox.process(InboxMessage.of("c", "m1"), () -> {})).isEqualTo(Outcome.PROCESSED);
        assertThat(inbox.find("c", "m1")).isPresent();
        assertThat(inbox.retire("c")).isTrue();
        assertThat(database.jdbc()
                        .queryForList(
                                "select table_name from information_schema.tables where table_schema = 'messaging'",
                                String.class))
                .contains("app_inbox_consumer", "app_inbox_message", "app_inbox_floor", "app_inbox_schema_history")
                .allMatch(table -> table.startsWith("app_inbox_"));
    }

    @Test
    void severalInstancesMayStartAtOnce() throws Exception {
        InboxTables tables = new InboxTables("several", "");
        ExecutorService instances = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> starts = new ArrayList<>();
            for (int instance = 0; instance < 4; instance++) {
                starts.add(instances.submit(() -> new InboxSchema(database.dataSource(), tables).migrate()));
            }
            for (Future<?> start : starts) {
                start.get(60, TimeUnit.SECONDS);
            }
        } finally {
            instances.shutdownNow();
        }
        assertThatCode(() -> new InboxSchema(database.dataSource(), tables).validate())
                .doesNotThrowAnyException();
    }

    @Test
    void missingTablesAreNamed() {
        assertThatExceptionOfType(InboxConfigurationException.class)
                .isThrownBy(() -> new InboxSchema(database.dataSource(), new InboxTables("", "missing_")).validate())
                .withMessageContaining("missing_inbox_message")
                .withMessageContaining("V1__inbox.sql")
                .withMessageContaining("inbox.schema.mode");
    }

    @Test
    void scriptsRunByHandAsTheyAre() throws IOException {
        database.jdbc().execute("create schema by_hand");
        Resource[] scripts =
                new PathMatchingResourcePatternResolver().getResources("classpath:io/inboxkit/jdbc/migration/V*.sql");
        Arrays.sort(scripts, Comparator.comparing(script -> String.valueOf(script.getFilename())));
        for (Resource script : scripts) {
            String sql = script.getContentAsString(StandardCharsets.UTF_8);
            database.transactions().executeWithoutResult(status -> {
                database.jdbc().execute("set local search_path = by_hand");
                database.jdbc().execute(sql);
            });
        }
        JdbcInbox inbox = database.builder()
                .tables(new InboxTables("by_hand", ""))
                .migrate(false)
                .build();

        assertThat(inbox.process(InboxMessage.of("c", "m1"), () -> {})).isEqualTo(Outcome.PROCESSED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Upper", "with space", "drop table x;--", "9digit", "a\"b"})
    void namesThatWouldNeedQuotesAreRefused(String name) {
        assertThatExceptionOfType(InboxConfigurationException.class)
                .isThrownBy(() -> new InboxTables(name, ""))
                .withMessageContaining("inbox.schema.name");
        assertThatExceptionOfType(InboxConfigurationException.class)
                .isThrownBy(() -> new InboxTables("", name))
                .withMessageContaining("inbox.table-prefix");
    }
}
