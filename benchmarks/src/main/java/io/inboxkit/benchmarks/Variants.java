package io.inboxkit.benchmarks;

import io.inboxkit.InboxMessage;
import io.inboxkit.jdbc.JdbcInbox;
import io.inboxkit.observe.InboxMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What is compared. All variants share one pool, one transaction manager and one handler. */
final class Variants implements AutoCloseable {

    static final String NO_DEDUPLICATION = "no-deduplication";
    static final String HAND_WRITTEN = "hand-written";
    private static final String CONSUMER = "billing:payments";

    private final DataSource pool;
    private final JdbcTemplate jdbc;
    private final JdbcTransactionManager manager;
    private final TransactionTemplate transaction;
    private final Payments payments;
    private final ListenerVariant listener;

    Variants(DataSource pool) {
        this.pool = pool;
        jdbc = new JdbcTemplate(pool);
        manager = new JdbcTransactionManager(pool);
        transaction = new TransactionTemplate(manager);
        payments = new Payments(jdbc);
        listener = new ListenerVariant(pool, manager, payments);
    }

    List<Variant> all() {
        return List.of(noDeduplication(), handWritten(), handWrittenSameTable(), inbox(), listener);
    }

    private Variant noDeduplication() {
        return variant(
                NO_DEDUPLICATION, delivery -> transaction.executeWithoutResult(status -> payments.store(delivery)));
    }

    /** What a team writes that knows how: consumer and id as they are, the claim before the business row. */
    private Variant handWritten() {
        String claim = "insert into processed_message (consumer, message_id) values (?, ?) on conflict do nothing";
        return variant(
                HAND_WRITTEN,
                delivery -> transaction.executeWithoutResult(status -> {
                    if (jdbc.update(claim, CONSUMER, delivery.id()) == 1) {
                        payments.store(delivery);
                    }
                }));
    }

    /** The same with the columns and indexes of the inbox: the difference is what they cost. */
    private Variant handWrittenSameTable() {
        String claim =
                """
                insert into processed_message_like_inbox
                    (consumer_id, message_key, fingerprint, source_id, source_partition, source_offset)
                values (?, ?, ?, ?, ?, ?) on conflict do nothing
                """;
        byte[] fingerprint = new byte[32];
        return variant(
                "hand-written-same-table",
                delivery -> transaction.executeWithoutResult(status -> {
                    int claimed = jdbc.update(
                            claim,
                            1,
                            UUID.fromString(delivery.id()),
                            fingerprint,
                            delivery.position().source(),
                            delivery.position().partition(),
                            delivery.position().offset());
                    if (claimed == 1) {
                        payments.store(delivery);
                    }
                }));
    }

    /** The library as an adapter calls it: fingerprint of the payload, position, metrics. */
    private Variant inbox() {
        JdbcInbox inbox = JdbcInbox.builder(pool, manager)
                .migrate(false)
                .observer(new InboxMetrics(new SimpleMeterRegistry()))
                .build();
        return variant(
                "inbox",
                delivery -> inbox.process(
                        InboxMessage.of(CONSUMER, delivery.id())
                                .fingerprint(delivery.payload().getBytes(StandardCharsets.UTF_8))
                                .position(delivery.position()),
                        () -> payments.store(delivery)));
    }

    @Override
    public void close() {
        listener.close();
    }

    private static Variant variant(String name, Consumer<Delivery> body) {
        return new Variant() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public void deliver(Delivery delivery) {
                body.accept(delivery);
            }
        };
    }
}
