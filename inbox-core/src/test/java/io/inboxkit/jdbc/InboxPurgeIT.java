package io.inboxkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.inboxkit.ConsumerSettings;
import io.inboxkit.InboxConfigurationException;
import io.inboxkit.InboxMessage;
import io.inboxkit.InboxObserver;
import io.inboxkit.Outcome;
import io.inboxkit.ReusedIdPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class InboxPurgeIT {

    @RegisterExtension
    static final InboxDatabase database = new InboxDatabase();

    private final JdbcInbox inbox = database.inbox();
    private final AtomicInteger purged = new AtomicInteger();
    private final InboxPurge purge = new InboxPurge(
            List.of(inbox),
            new InboxPurge.Settings(Duration.ofMinutes(1), 2, Duration.ofHours(1)),
            new InboxObserver() {
                @Override
                public void purged(String consumer, int count) {
                    purged.addAndGet(count);
                }
            });

    @BeforeEach
    void noEffects() {
        database.clear();
    }

    @Test
    void idsOlderThanRetentionAndMarginGoInBatches() {
        register("week", Duration.ofDays(7));
        for (int i = 0; i < 5; i++) {
            inbox.process(InboxMessage.of("week", "old" + i), () -> {});
        }
        age("7 days 2 hours");
        inbox.process(InboxMessage.of("week", "new"), () -> {});

        purge.run();

        assertThat(purged).hasValue(5);
        assertThat(inbox.find("week", "old0")).isEmpty();
        assertThat(inbox.find("week", "new")).isPresent();
    }

    @Test
    void idsWithinRetentionAndMarginStay() {
        register("week", Duration.ofDays(7));
        inbox.process(InboxMessage.of("week", "m1"), () -> {});
        age("7 days 30 minutes");

        purge.run();

        assertThat(inbox.process(InboxMessage.of("week", "m1"), () -> {})).isEqualTo(Outcome.DUPLICATE);
    }

    @Test
    void idOfAHandlerThatRanLongerThanTheRetentionIsKeptForItsDuplicate() {
        register("short", Duration.ofSeconds(1));
        inbox.process(InboxMessage.of("short", "m1"), () -> database.jdbc().execute("select pg_sleep(1.5)"));

        purge.run();

        assertThat(inbox.process(InboxMessage.of("short", "m1"), () -> {})).isEqualTo(Outcome.DUPLICATE);
    }

    @Test
    void eachConsumerHasItsOwnRetention() {
        register("week", Duration.ofDays(7));
        register("year", Duration.ofDays(365));
        inbox.process(InboxMessage.of("week", "m1"), () -> {});
        inbox.process(InboxMessage.of("year", "m1"), () -> {});
        age("30 days");

        purge.run();

        assertThat(inbox.find("week", "m1")).isEmpty();
        assertThat(inbox.find("year", "m1")).isPresent();
    }

    @Test
    void consumerOnWhichAnotherInstanceWorksIsLeftToIt() {
        register("week", Duration.ofDays(7));
        inbox.process(InboxMessage.of("week", "m1"), () -> {});
        age("30 days");

        database.transactions().executeWithoutResult(status -> {
            database.jdbc().queryForList("select id from inbox_consumer where name = 'week' for no key update");
            Thread other = new Thread(purge::run);
            other.start();
            join(other);
        });
        assertThat(purged).hasValue(0);

        purge.run();
        assertThat(purged).hasValue(1);
    }

    @Test
    void oldestIdsAreFoundThroughTheIndex() {
        register("week", Duration.ofDays(7));
        database.jdbc()
                .execute(
                        """
                insert into inbox_message (consumer_id, message_key, processed_at)
                select c.id, gen_random_uuid(), clock_timestamp() - make_interval(secs => i)
                from inbox_consumer c, generate_series(1, 200000) i where c.name = 'week'
                """);
        database.jdbc().execute("analyze inbox_message");
        Integer id = database.jdbc().queryForObject("select id from inbox_consumer where name = 'week'", Integer.class);
        String statement = new RetentionSql(InboxTables.defaults())
                .purge
                .replace(":consumer", String.valueOf(id))
                .replace(":until", "now() - interval '1 day'")
                .replace(":margin", "3600")
                .replace(":limit", "5000");

        List<String> plan = database.jdbc().queryForList("explain " + statement, String.class);

        assertThat(String.join("\n", plan))
                .contains("inbox_message_processed_at_ix", "inbox_message_pk", "processed_at < ")
                .doesNotContain("Seq Scan on inbox_message")
                .doesNotContain("Filter: (processed_at");
    }

    @Test
    void settingsOutOfRangeAreRefused() {
        assertThatExceptionOfType(InboxConfigurationException.class)
                .isThrownBy(() -> new InboxPurge.Settings(Duration.ZERO, 1, Duration.ZERO))
                .withMessageContaining("inbox.purge.interval");
        assertThatExceptionOfType(InboxConfigurationException.class)
                .isThrownBy(() -> new InboxPurge.Settings(Duration.ofMinutes(1), 0, Duration.ZERO))
                .withMessageContaining("inbox.purge.batch-size");
        assertThatExceptionOfType(InboxConfigurationException.class)
                .isThrownBy(() -> new InboxPurge.Settings(Duration.ofMinutes(1), 1, Duration.ofHours(-1)))
                .withMessageContaining("inbox.purge.margin");
    }

    private void register(String consumer, Duration retention) {
        inbox.register(consumer, ConsumerSettings.of(ReusedIdPolicy.REJECT, retention));
    }

    private static void age(String interval) {
        database.age(interval);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
