package io.inboxkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.inboxkit.InboxMessage;
import io.inboxkit.MessageInProgressException;
import io.inboxkit.testkit.Race;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Locks that two transactions take in opposite order cost one of them another attempt, and nobody a message. */
class DeadlockIT {

    private static final List<String> ACCOUNTS = List.of("a", "b");

    @RegisterExtension
    static final InboxDatabase database = new InboxDatabase();

    private final CountDownLatch bothHoldOne = new CountDownLatch(2);

    @BeforeEach
    void clear() {
        database.clear();
        database.jdbc().execute("delete from parent");
        database.jdbc().execute("insert into parent (name) values ('a'), ('b')");
    }

    @Test
    void handlersThatLockRowsInOppositeOrderAreBothProcessedOnce() {
        List<Race.Finish<Void>> ends = race((first, second) -> {
            database.inbox().process(InboxMessage.of("c", "transfer " + first), () -> {
                lock(first);
                meet();
                lock(second);
                database.effect(first);
            });
        });

        assertThat(ends).extracting(Race.Finish::thrown).containsOnlyNulls();
        assertThat(database.effects()).containsExactly("a", "b");
    }

    @Test
    void outerTransactionsThatClaimInOppositeOrderEndAsOneAndAnUndecidedOne() {
        List<Race.Finish<Void>> ends = race((first, second) -> claimBoth(first, second));

        assertThat(ends)
                .extracting(Race.Finish::thrown)
                .filteredOn(thrown -> thrown != null)
                .singleElement()
                .isInstanceOf(MessageInProgressException.class);
        assertThat(database.effects()).containsExactly("a", "b");

        claimBoth("a", "b");
        assertThat(database.effects()).containsExactly("a", "b");
    }

    private void claimBoth(String first, String second) {
        database.transactions().executeWithoutResult(status -> {
            database.inbox().process(InboxMessage.of("c", first), () -> database.effect(first));
            meet();
            database.inbox().process(InboxMessage.of("c", second), () -> database.effect(second));
        });
    }

    private static List<Race.Finish<Void>> race(InOrder task) {
        return new Race(Duration.ofSeconds(30)).run(2, i -> () -> {
            task.run(ACCOUNTS.get(i), ACCOUNTS.get(1 - i));
            return null;
        });
    }

    private static void lock(String account) {
        database.jdbc().queryForList("select name from parent where name = ? for update", account);
    }

    private void meet() {
        bothHoldOne.countDown();
        try {
            assertThat(bothHoldOne.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private interface InOrder {
        void run(String first, String second);
    }
}
