package io.inboxkit.outbox.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.inboxkit.outbox.InvalidOutboxMessageException;
import io.inboxkit.outbox.OutboxHeader;
import io.inboxkit.outbox.OutboxMessage;
import io.inboxkit.outbox.OutboxTransactionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

class JdbcOutboxIT {

    @RegisterExtension
    static final OutboxFixture database = new OutboxFixture();

    private static final OutboxMessage MESSAGE =
            OutboxMessage.to("kafka:orders").key("o-1").type("OrderPlaced").payload("text");

    private final TransactionTemplate transactions = database.transactions();

    @BeforeEach
    void clear() {
        database.clear();
    }

    @Test
    void messageIsCommittedWithTheTransaction() {
        String id = transactions.execute(status -> {
            String published = database.outbox.publish(MESSAGE.header("h", new byte[] {0, 1}));
            assertThat(database.wakeUps).hasValue(0);
            return published;
        });

        Map<String, Object> row = database.rows().get(0);
        assertThat(row)
                .containsEntry("id", id)
                .containsEntry("destination_scheme", "kafka")
                .containsEntry("destination_name", "orders")
                .containsEntry("type", "OrderPlaced")
                .containsEntry("key", "o-1".getBytes(UTF_8))
                .containsEntry("payload", "text".getBytes(UTF_8));
        assertThat(HeaderBytes.read((byte[]) row.get("headers")))
                .containsExactly(new OutboxHeader("h", new byte[] {0, 1}));
        assertThat(database.wakeUps).hasValue(1);
    }

    @Test
    void messageIsRolledBackWithTheTransaction() {
        transactions.executeWithoutResult(status -> {
            database.outbox.publish(MESSAGE);
            status.setRollbackOnly();
        });

        assertThat(database.rows()).isEmpty();
        assertThat(database.wakeUps).hasValue(0);
    }

    @Test
    void manyMessagesAreWrittenInTheirOrderByOneStatement() {
        List<OutboxMessage> messages = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            messages.add(OutboxMessage.to("kafka:orders")
                    .id("m" + i)
                    .key(i % 3 == 0 ? null : "k")
                    .payload(i % 2 == 0 ? null : new byte[i]));
        }
        List<String> ids = transactions.execute(status -> database.outbox.publishAll(messages));

        List<Map<String, Object>> rows = database.rows();
        assertThat(rows).extracting(row -> row.get("id")).containsExactlyElementsOf(ids);
        assertThat(rows.get(7)).containsEntry("payload", new byte[7]);
        assertThat(rows.get(6)).containsEntry("payload", null).containsEntry("lane", null);
        assertThat(rows.get(1).get("lane")).isNotNull().isEqualTo(rows.get(2).get("lane"));
        assertThat(transactions.<List<String>>execute(status -> database.outbox.publishAll(List.of())))
                .isEmpty();
    }

    @Test
    void sameIdMayBePublishedTwice() {
        transactions.executeWithoutResult(status -> {
            database.outbox.publish(MESSAGE.id("same"));
            database.outbox.publish(MESSAGE.id("same"));
        });

        assertThat(database.rows()).hasSize(2);
    }

    @Test
    void transactionIsNeeded() {
        refused(() -> database.outbox.publish(MESSAGE), "outside a transaction");
        refused(() -> database.outbox.publishAll(List.of()), "outside a transaction");
    }

    @Test
    void readOnlyTransactionIsRefused() {
        TransactionTemplate readOnly = new TransactionTemplate(database.manager);
        readOnly.setReadOnly(true);
        readOnly.executeWithoutResult(status -> refused(() -> database.outbox.publish(MESSAGE), "read-only"));
    }

    @Test
    void transactionOfAnotherDataSourceIsRefused() {
        new TransactionTemplate(new JdbcTransactionManager(database.database.dataSource()))
                .executeWithoutResult(status -> refused(() -> database.outbox.publish(MESSAGE), "DataSource"));
    }

    @Test
    void callbacksAfterTheCommitCannotPublish() {
        List<String> refused = new ArrayList<>();
        transactions.executeWithoutResult(status -> {
            database.outbox.publish(MESSAGE);
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    refused(() -> database.outbox.publish(MESSAGE), "after the commit");
                    refused.add("after commit");
                }

                @Override
                public void afterCompletion(int outcome) {
                    refused(() -> database.outbox.publish(MESSAGE), "after the commit");
                    refused.add("after completion");
                }
            });
        });

        assertThat(refused).containsExactly("after commit", "after completion");
        assertThat(database.rows()).hasSize(1);
    }

    @Test
    void callbacksAfterTheCommitMayPublishInANewTransaction() {
        TransactionTemplate another = new TransactionTemplate(database.manager);
        another.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        AtomicReference<Boolean> refused = new AtomicReference<>();
        transactions.executeWithoutResult(status -> {
            database.outbox.publish(MESSAGE);
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    another.executeWithoutResult(inner -> database.outbox.publish(MESSAGE));
                    refused(() -> database.outbox.publish(MESSAGE), "after the commit");
                    refused.set(true);
                }
            });
        });

        assertThat(refused).hasValue(true);
        assertThat(database.rows()).hasSize(2);
        assertThat(database.wakeUps).hasValue(2);
    }

    @Test
    void nestedTransactionMayPublish() {
        TransactionTemplate nested = new TransactionTemplate(database.manager);
        nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
        transactions.executeWithoutResult(status -> {
            nested.executeWithoutResult(inner -> database.outbox.publish(MESSAGE));
            nested.executeWithoutResult(inner -> {
                database.outbox.publish(MESSAGE);
                inner.setRollbackOnly();
            });
            database.outbox.publish(MESSAGE);
        });

        assertThat(database.rows()).hasSize(2);
    }

    @Test
    void callbackBeforeTheCommitMayPublish() {
        transactions.executeWithoutResult(
                status -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void beforeCommit(boolean readOnly) {
                        database.outbox.publish(MESSAGE);
                    }
                }));

        assertThat(database.rows()).hasSize(1);
    }

    @Test
    void refusedMessageLeavesTheTransactionAsItWas() {
        transactions.executeWithoutResult(status -> {
            assertThatExceptionOfType(InvalidOutboxMessageException.class)
                    .isThrownBy(() -> database.outbox.publishAll(
                            List.of(MESSAGE, OutboxMessage.to("rabbitmq:a/b").payload(null))));
            database.outbox.publish(MESSAGE);
        });

        assertThat(database.rows()).hasSize(1);
    }

    @Test
    void errorOfTheDatabaseIsTranslated() {
        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(() -> transactions.executeWithoutResult(
                        status -> database.outbox(new OutboxTables("", "missing_"), () -> {})
                                .publish(MESSAGE)));
    }

    /** What lets a relay pass over what it has read: see the column. */
    @Test
    void numberOfAMessageIsDrawnAfterThatOfItsTransaction() {
        List<String> plan = database.jdbc.queryForList(
                "explain (verbose, costs off) insert into outbox_message (partition, id, destination_scheme, "
                        + "destination_name) values (0, 'i', 's', 'n')",
                String.class);
        String output = plan.stream()
                .filter(line -> line.contains("Output:"))
                .findFirst()
                .orElseThrow();

        assertThat(output).contains("pg_current_xact_id()").contains("nextval(");
        assertThat(output.indexOf("pg_current_xact_id()")).isLessThan(output.indexOf("nextval("));
    }

    private static void refused(Runnable call, String because) {
        assertThatExceptionOfType(OutboxTransactionException.class)
                .isThrownBy(call::run)
                .withMessageContaining(because);
    }
}
