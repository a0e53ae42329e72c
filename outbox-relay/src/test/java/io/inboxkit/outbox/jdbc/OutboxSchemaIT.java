package io.inboxkit.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.inboxkit.outbox.OutboxConfigurationException;
import io.inboxkit.outbox.OutboxMessage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutboxSchemaIT {

    @RegisterExtension
    static final OutboxFixture database = new OutboxFixture();

    @Test
    void schemaAndPrefixHoldForEveryTable() {
        OutboxTables tables = new OutboxTables("messaging", "app_");
        new OutboxSchema(database.dataSource, tables).migrate();

        assertThat(publish(tables)).isNotBlank();
        assertThat(database.jdbc.queryForList(
                        "select table_name from information_schema.tables where table_schema = 'messaging'",
                        String.class))
                .contains("app_outbox_message", "app_outbox_schema_history")
                .allMatch(name -> name.startsWith("app_outbox_"));
    }

    @Test
    void severalInstancesMayStartAtOnce() throws Exception {
        OutboxTables tables = new OutboxTables("several", "");
        ExecutorService instances = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> starts = new ArrayList<>();
            for (int instance = 0; instance < 4; instance++) {
                starts.add(instances.submit(() -> new OutboxSchema(database.dataSource, tables).migrate()));
            }
            for (Future<?> start : starts) {
                start.get(60, TimeUnit.SECONDS);
            }
        } finally {
            instances.shutdownNow();
        }
        assertThatCode(() -> new OutboxSchema(database.dataSource, tables).validate())
                .doesNotThrowAnyException();
    }

    @Test
    void missingTablesAreNamed() {
        assertThatExceptionOfType(OutboxConfigurationException.class)
                .isThrownBy(() -> new OutboxSchema(database.dataSource, new OutboxTables("", "missing_")).validate())
                .withMessageContaining("missing_outbox_message")
                .withMessageContaining("V1__outbox.sql")
                .withMessageContaining("outbox.schema.mode");
    }

    @ParameterizedTest
    @ValueSource(strings = {"V1__outbox.sql"})
    void scriptRunsByHandAsItIs(String name) throws IOException {
        database.jdbc.execute("create schema by_hand");
        try (InputStream script = OutboxSchema.class.getResourceAsStream("/io/inboxkit/outbox/migration/" + name)) {
            String sql = new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
            database.transactions().executeWithoutResult(status -> {
                database.jdbc.execute("set local search_path = by_hand");
                database.jdbc.execute(sql);
            });
        }
        assertThat(publish(new OutboxTables("by_hand", ""))).isNotBlank();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Upper", "with space", "drop table x;--", "9digit", "a\"b"})
    void namesThatWouldNeedQuotesAreRefused(String name) {
        assertThatExceptionOfType(OutboxConfigurationException.class)
                .isThrownBy(() -> new OutboxTables(name, ""))
                .withMessageContaining("outbox.schema.name");
        assertThatExceptionOfType(OutboxConfigurationException.class)
                .isThrownBy(() -> new OutboxTables("", name))
                .withMessageContaining("outbox.table-prefix");
    }

    private static String publish(OutboxTables tables) {
        return Objects.requireNonNull(database.transactions().execute(status -> database.outbox(tables, () -> {})
                .publish(OutboxMessage.to("kafka:orders").payload("p"))));
    }
}
