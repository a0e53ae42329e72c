package io.inboxkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.inboxkit.ConsumerSettings;
import io.inboxkit.InboxEntry;
import io.inboxkit.InboxMessage;
import io.inboxkit.InboxObserver;
import io.inboxkit.ReusedIdPolicy;
import io.inboxkit.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Times are instants of the database's clock: neither the zone of the JVM nor that of the session moves them. */
class TimeZoneIT {

    private final TimeZone zoneOfTheJvm = TimeZone.getDefault();
    private final TestDatabase database = TestDatabase.create();
    private final HikariDataSource pool = new HikariDataSource();

    @BeforeEach
    void connectToTheDatabase() {
        pool.setDataSource(database.dataSource());
    }

    @AfterEach
    void restoreZone() {
        TimeZone.setDefault(zoneOfTheJvm);
        pool.close();
        database.close();
    }

    @ParameterizedTest
    @CsvSource({"Asia/Tokyo,America/New_York", "America/Los_Angeles,Pacific/Kiritimati"})
    void processedAtAndRetentionAreRight(String jvm, String session) {
        TimeZone.setDefault(TimeZone.getTimeZone(jvm));
        pool.setConnectionInitSql("set timezone to '" + session + "'");
        JdbcInbox inbox =
                JdbcInbox.builder(pool, new JdbcTransactionManager(pool)).build();
        inbox.register("c", ConsumerSettings.of(ReusedIdPolicy.REJECT, Duration.ofHours(2)));
        Instant before = Instant.now().minusSeconds(10);
        inbox.process(InboxMessage.of("c", "young"), () -> {});

        assertThat(inbox.find("c", "young").map(InboxEntry::processedAt)).hasValueSatisfying(at -> assertThat(at)
                .isBetween(before, Instant.now().plusSeconds(10)));

        age("3 hours 1 minute");
        inbox.process(InboxMessage.of("c", "new"), () -> {});
        purge(inbox, Duration.ofHours(1));
        assertThat(inbox.find("c", "young")).isEmpty();

        age("2 hours 59 minutes");
        purge(inbox, Duration.ofHours(1));
        assertThat(inbox.find("c", "new")).isPresent();
    }

    private void age(String interval) {
        database.jdbc().update("update inbox_message set processed_at = processed_at - ?::interval", interval);
        database.jdbc()
                .update(
                        "insert into inbox_alive"
                                + " select id, clock_timestamp() - ?::interval, clock_timestamp() from inbox_consumer",
                        interval);
    }

    private static void purge(JdbcInbox inbox, Duration margin) {
        new InboxPurge(List.of(inbox), new InboxPurge.Settings(Duration.ofMinutes(1), 100, margin), InboxObserver.NONE)
                .run();
    }
}
