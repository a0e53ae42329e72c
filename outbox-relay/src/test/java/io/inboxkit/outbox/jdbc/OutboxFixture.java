package io.inboxkit.outbox.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.inboxkit.outbox.CurrentTrace;
import io.inboxkit.outbox.JacksonPayloadWriter;
import io.inboxkit.outbox.MessageForm;
import io.inboxkit.outbox.WakeUp;
import io.inboxkit.testkit.TestDatabase;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** A fresh database with an outbox, for one test class. */
class OutboxFixture implements BeforeAllCallback, AfterAllCallback {

    final TestDatabase database = TestDatabase.create();
    final HikariDataSource dataSource = database.pool(10);
    final JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
    final JdbcTemplate jdbc = new JdbcTemplate(dataSource);
    final AtomicInteger wakeUps = new AtomicInteger();
    final JdbcOutbox outbox = outbox(OutboxTables.defaults(), wakeUps::incrementAndGet);

    JdbcOutbox outbox(OutboxTables tables, WakeUp wakeUp) {
        return new JdbcOutbox(
                dataSource,
                manager,
                tables,
                new MessageForm(new JacksonPayloadWriter(JsonMapper.shared()), CurrentTrace.NONE),
                wakeUp);
    }

    TransactionTemplate transactions() {
        return new TransactionTemplate(manager);
    }

    List<Map<String, Object>> rows() {
        return jdbc.queryForList("select * from outbox_message order by seq");
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        new OutboxSchema(dataSource, OutboxTables.defaults()).migrate();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        dataSource.close();
        database.close();
    }

    void clear() {
        jdbc.execute("truncate outbox_message");
        wakeUps.set(0);
    }
}
