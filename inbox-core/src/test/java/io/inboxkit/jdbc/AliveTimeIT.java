package io.inboxkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.inboxkit.ConsumerSettings;
import io.inboxkit.ConsumerStatus;
import io.inboxkit.InboxMessage;
import io.inboxkit.InboxObserver;
import io.inboxkit.LiveConsumers;
import io.inboxkit.Outcome;
import io.inboxkit.ReusedIdPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AliveTimeIT {

    private static final String CONSUMER = "c";

    @RegisterExtension
    static final InboxDatabase database = new InboxDatabase();

    private final LiveConsumers live = new LiveConsumers();
    private final JdbcInbox inbox =
            database.builder().migrate(false).liveConsumers(live).build();

    @BeforeEach
    void noEffects() {
        database.clear();
        inbox.register(CONSUMER, ConsumerSettings.of(ReusedIdPolicy.REJECT, Duration.ofDays(7)));
    }

    @Test
    void outageOfAWeekDoesNotCountTowardsTheRetention() {
        process("yesterday's");
        processedAgo("8 days");
        alive("30 days", "7 days 1 hour");

        purge();
        assertThat(process("yesterday's")).isEqualTo(Outcome.DUPLICATE);

        // A week of life later, with the outage in it.
        processedAgo("8 days");
        database.jdbc()
                .update("update inbox_alive set began = began - interval '8 days', ended = ended - interval '8 days'");
        alive("8 days", "0 days");
        purge();
        assertThat(process("yesterday's")).isEqualTo(Outcome.PROCESSED);
    }

    @Test
    void timeInWhichTwoInstancesWereAliveCountsOnce() {
        process("m1");
        processedAgo("6 days");
        alive("6 days", "0 days");
        alive("5 days", "1 day");
        alive("5 days 1 hour", "2 hours");

        purge();

        assertThat(process("m1")).isEqualTo(Outcome.DUPLICATE);
    }

    @Test
    void beatsMakeOneSpanAndASilenceBeginsAnother() {
        inbox.beat();
        inbox.beat();
        assertThat(spans()).isEqualTo(1);

        database.jdbc()
                .update(
                        "update inbox_alive set began = began - interval '1 hour', ended = ended - interval '2 minutes'");
        inbox.beat();
        assertThat(spans()).isEqualTo(1);

        database.jdbc().update("update inbox_alive set ended = ended - interval '3 minutes'");
        inbox.beat();
        assertThat(spans()).isEqualTo(2);
    }

    @Test
    void consumerWhoseContainerDoesNotRunIsNotAlive() {
        boolean[] running = {false};
        live.watch(CONSUMER, () -> running[0]);

        inbox.beat();
        assertThat(spans()).isZero();

        running[0] = true;
        inbox.beat();
        assertThat(spans()).isEqualTo(1);
    }

    @Test
    void consumerThatHasBeenSilentForFourRetentionsIsReportedAndKept() {
        process("m1");
        alive("60 days", "29 days");
        database.jdbc().update("update inbox_consumer set created_at = created_at - interval '60 days'");

        assertThat(status().silent()).isTrue();
        live.watch(CONSUMER, () -> false);
        purge();
        assertThat(process("m1")).isEqualTo(Outcome.DUPLICATE);

        alive("28 days", "27 days");
        assertThat(status().silent()).isFalse();
        assertThat(status().purgedAt()).isNotNull();
    }

    @Test
    void consumerThatIsRetiredWhileItIsAliveLeavesNothingBehind() {
        inbox.process(InboxMessage.of("retired", "m1"), () -> {});
        inbox.beat();
        JdbcInbox elsewhere = database.builder().migrate(false).build();
        assertThat(elsewhere.retire("retired")).isTrue();

        inbox.beat();

        assertThat(inbox.consumers()).extracting(ConsumerStatus::consumer).doesNotContain("retired");
        assertThat(database.jdbc()
                        .queryForObject(
                                "select count(*) from inbox_alive where consumer_id not in (select id from inbox_consumer)",
                                Integer.class))
                .isZero();
    }

    @Test
    void idThatIsClaimedWhileItsConsumerIsRetiredIsPurgedLater() {
        inbox.process(InboxMessage.of("retired", "m1"), () -> database.jdbc().execute("select 1"));
        database.jdbc().update("delete from inbox_consumer where name = 'retired'");

        purge();

        assertThat(database.jdbc()
                        .queryForObject(
                                "select count(*) from inbox_message where consumer_id not in (select id from inbox_consumer)",
                                Integer.class))
                .isZero();
    }

    private Outcome process(String id) {
        return inbox.process(InboxMessage.of(CONSUMER, id), () -> {});
    }

    private static void processedAgo(String age) {
        database.jdbc().update("update inbox_message set processed_at = clock_timestamp() - ?::interval", age);
    }

    private static void alive(String since, String until) {
        database.jdbc()
                .update(
                        "insert into inbox_alive select id, clock_timestamp() - ?::interval, clock_timestamp() - ?::interval"
                                + " from inbox_consumer where name = ?",
                        since,
                        until,
                        CONSUMER);
    }

    private static int spans() {
        Integer count = database.jdbc().queryForObject("select count(*) from inbox_alive", Integer.class);
        return count == null ? 0 : count;
    }

    private ConsumerStatus status() {
        return inbox.consumers().stream()
                .filter(status -> status.consumer().equals(CONSUMER))
                .findFirst()
                .orElseThrow();
    }

    private void purge() {
        new InboxPurge(
                        List.of(inbox),
                        new InboxPurge.Settings(Duration.ofMinutes(1), 100, Duration.ZERO),
                        InboxObserver.NONE)
                .run();
    }
}
