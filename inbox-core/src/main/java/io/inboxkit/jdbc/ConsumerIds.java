package io.inboxkit.jdbc;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The numbers that stand for the names of consumers in the table of messages. Thread-safe. */
final class ConsumerIds {

    private final JdbcClient jdbc;
    private final InboxSql sql;
    private final TransactionTemplate transactions;
    private final Duration defaultRetention;
    private final Map<String, Integer> known = new ConcurrentHashMap<>();

    ConsumerIds(JdbcClient jdbc, InboxSql sql, PlatformTransactionManager manager, Duration defaultRetention) {
        this.jdbc = jdbc;
        this.sql = sql;
        this.transactions = new TransactionTemplate(manager);
        this.defaultRetention = defaultRetention;
    }

    /**
     * The number of a consumer, which is made known if it is not yet: in a short transaction of its own, or in the open one.
     * Without a statement for a consumer that this process has seen before.
     */
    int of(String name) {
        Integer id = known.get(name);
        return id != null ? id : register(name, null);
    }

    /** Makes a consumer known; a retention replaces the one that is stored. */
    int register(String name, @Nullable Duration retention) {
        Integer id = transactions.execute(status -> registerIn(status, name, retention));
        if (id == null) {
            throw new IllegalStateException("The consumer '" + name + "' was removed while it was being registered");
        }
        return id;
    }

    /** The consumers that this process uses, with their numbers. */
    Map<String, Integer> used() {
        return Map.copyOf(known);
    }

    /** Forgets the number of a consumer whose row is gone. */
    void evict(String name) {
        known.remove(name);
    }

    private Integer registerIn(TransactionStatus status, String name, @Nullable Duration retention) {
        jdbc.sql(sql.register)
                .param("id", ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE))
                .param("name", name)
                .param("retention", (retention == null ? defaultRetention : retention).toMillis() / 1000.0)
                .param("setRetention", retention != null)
                .update();
        Integer id = jdbc.sql(sql.consumerId)
                .param("name", name)
                .query(Integer.class)
                .single();
        if (status.isNewTransaction()) {
            known.put(name, id);
        } else {
            // An outer transaction may still roll the new row back: its number must not be used again then.
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    known.put(name, id);
                }
            });
        }
        return id;
    }
}
