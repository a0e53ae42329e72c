package io.inboxkit.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.inboxkit.testkit.Race;
import io.inboxkit.testkit.TcpProxy;
import io.inboxkit.testkit.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** Exactly one effect per message, whatever the broker; an adapter's test is a subclass that starts a listener. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class AdapterContract {

    private final TestDatabase database = TestDatabase.create();
    private final TcpProxy proxy = database.proxy();
    private final EffectHandler handler = new EffectHandler();
    private @Nullable ListenerUnderTest started;

    /** For subclasses, which start a listener and nothing else. */
    protected AdapterContract() {}

    /**
     * Starts an application with these properties (the database, and a short wait for a connection), whose listener calls the
     * handler.
     */
    protected abstract ListenerUnderTest start(Map<String, String> properties, EffectHandler handler);

    @BeforeAll
    final void startListener() {
        database.jdbc().execute("CREATE TABLE parent (id int PRIMARY KEY)");
        database.jdbc()
                .execute("CREATE TABLE effect (body text NOT NULL,"
                        + " parent int REFERENCES parent DEFERRABLE INITIALLY DEFERRED)");
        Map<String, String> properties = new HashMap<>(database.springProperties(database.url(proxy)));
        properties.put("spring.datasource.hikari.connection-timeout", "500");
        started = start(properties, handler);
    }

    @AfterAll
    final void stopListener() {
        try (TestDatabase closedLast = database;
                TcpProxy closedNext = proxy;
                ListenerUnderTest closedFirst = started) {
            proxy.restore();
        }
    }

    @Test
    void secondDeliveryRunsNothing() {
        String body = send("a");
        listener().awaitSettled();
        listener().redeliverLast();
        listener().awaitSettled();
        assertThat(effects(body)).isOne();
        assertThat(handler.calls(body)).isOne();
    }

    @Test
    void secondMessageWithTheIdRunsNothingAndNeighboursGoOn() {
        String id = unique("id");
        String body = unique("a");
        listener().send(id, body);
        listener().send(id, body);
        String neighbour = send("b");
        listener().awaitSettled();
        assertThat(handler.calls(body)).isOne();
        assertThat(effects(neighbour)).isOne();
    }

    @Test
    void failedHandlerIsTriedAgainAndCountsOnce() {
        assertTriedAgain((jdbc, manager) -> {
            throw new IllegalStateException("armed");
        });
    }

    @Test
    void checkedExceptionRollsBack() {
        assertTriedAgain((jdbc, manager) -> {
            throw new IOException("armed");
        });
    }

    @Test
    void swallowedSqlErrorIsAFailure() {
        assertTriedAgain((jdbc, manager) -> {
            try {
                jdbc.execute("SELECT * FROM no_such_table");
            } catch (DataAccessException e) {
                // Swallowed: PostgreSQL has aborted the transaction all the same.
            }
        });
    }

    @Test
    void rollbackOnlyIsAFailure() {
        assertTriedAgain((jdbc, manager) ->
                new TransactionTemplate(manager).executeWithoutResult(TransactionStatus::setRollbackOnly));
    }

    @Test
    void failedCommitIsAFailure() {
        assertTriedAgain((jdbc, manager) -> jdbc.update("INSERT INTO effect (body, parent) VALUES ('orphan', 1)"));
    }

    @Test
    void messageWithoutIdIsRefusedAndNeighboursGoOn() {
        String before = send("before");
        String nameless = unique("nameless");
        listener().send(null, nameless);
        String after = send("after");
        listener().awaitSettled();
        assertThat(effects(before)).isOne();
        assertThat(effects(nameless)).isZero();
        assertThat(effects(after)).isOne();
        assertThat(listener().deadLetters()).contains(nameless);
    }

    @Test
    void reusedIdIsRefused() {
        String id = unique("id");
        String first = unique("amount 10");
        String second = unique("amount 99");
        listener().send(id, first);
        listener().send(id, second);
        listener().awaitSettled();
        assertThat(effects(first)).isOne();
        assertThat(effects(second)).isZero();
        assertThat(listener().deadLetters()).contains(second).doesNotContain(first);
    }

    @Test
    void twentyDuplicatesAtOnceHaveOneEffect() {
        String id = unique("id");
        String body = unique("a");
        List<Race.Finish<String>> sent = new Race(Duration.ofSeconds(60)).run(20, i -> () -> {
            listener().send(id, body);
            return body;
        });
        listener().awaitSettled();
        assertThat(sent).extracting(Race.Finish::thrown).containsOnlyNulls();
        assertThat(effects(body)).isOne();
        assertThat(handler.calls(body)).isOne();
    }

    @Test
    void outageOfTheDatabaseLosesNothingAndFillsNoDeadLetters() {
        proxy.cut();
        List<String> bodies = List.of(send("a"), send("b"), send("c"));
        await().during(Duration.ofSeconds(3))
                .atMost(Duration.ofSeconds(15))
                .untilAsserted(() -> assertThat(listener().deadLetters()).doesNotContainAnyElementsOf(bodies));
        proxy.restore();
        listener().awaitSettled();
        assertThat(bodies).allSatisfy(body -> assertThat(effects(body)).isOne());
        assertThat(listener().deadLetters()).doesNotContainAnyElementsOf(bodies);
    }

    private void assertTriedAgain(EffectHandler.Twist twist) {
        String body = unique("a");
        handler.arm(body, twist);
        listener().send(unique("id"), body);
        listener().awaitSettled();
        assertThat(handler.calls(body)).isEqualTo(2);
        assertThat(effects(body)).isOne();
        assertThat(listener().deadLetters()).doesNotContain(body);
    }

    private ListenerUnderTest listener() {
        return Objects.requireNonNull(started, "no listener was started");
    }

    private String send(String name) {
        String body = unique(name);
        listener().send(unique("id"), body);
        return body;
    }

    private int effects(String body) {
        Integer count =
                database.jdbc().queryForObject("SELECT count(*) FROM effect WHERE body = ?", Integer.class, body);
        return count == null ? 0 : count;
    }

    private static String unique(String name) {
        return name + " " + UUID.randomUUID();
    }
}
