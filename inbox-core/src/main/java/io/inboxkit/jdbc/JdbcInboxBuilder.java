package io.inboxkit.jdbc;

import io.inboxkit.ConsumerSettings;
import io.inboxkit.InboxConfigurationException;
import io.inboxkit.InboxObserver;
import io.inboxkit.LiveConsumers;
import io.inboxkit.ReusedIdPolicy;
import io.inboxkit.StaleAction;
import java.time.Duration;
import java.util.Objects;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;

/** Builds a {@link JdbcInbox}; what is not set is as in a new application. */
public final class JdbcInboxBuilder {

    private static final Duration LONGEST_TIMEOUT = Duration.ofHours(1);

    final DataSource dataSource;
    final PlatformTransactionManager transactionManager;
    InboxTables tables = InboxTables.defaults();
    ConsumerSettings defaults = ConsumerSettings.of(ReusedIdPolicy.REJECT, Duration.ofDays(7));
    Duration claimTimeout = Duration.ofSeconds(10);
    int attempts = 3;
    boolean logMessageIds;
    InboxObserver observer = InboxObserver.NONE;
    StaleAction staleAction = StaleAction.SKIP;
    LiveConsumers liveConsumers = new LiveConsumers();
    private boolean migrate = true;

    JdbcInboxBuilder(DataSource dataSource, PlatformTransactionManager transactionManager) {
        // The transaction manager binds connections of what such a proxy wraps.
        this.dataSource =
                Objects.requireNonNull(dataSource, "dataSource") instanceof TransactionAwareDataSourceProxy proxy
                                && proxy.getTargetDataSource() != null
                        ? proxy.getTargetDataSource()
                        : dataSource;
        this.transactionManager = Objects.requireNonNull(transactionManager, "transactionManager");
    }

    /** The names of the tables. */
    public JdbcInboxBuilder tables(InboxTables newTables) {
        tables = newTables;
        return this;
    }

    /** Whether {@link #build()} migrates the schema; {@code true} unless somebody else does. */
    public JdbcInboxBuilder migrate(boolean newMigrate) {
        migrate = newMigrate;
        return this;
    }

    /** The settings of messages for which none are given. */
    public JdbcInboxBuilder defaults(ConsumerSettings newDefaults) {
        defaults = newDefaults;
        return this;
    }

    /**
     * How long a claim waits for a concurrent duplicate.
     *
     * @param newTimeout from one millisecond to one hour
     */
    public JdbcInboxBuilder claimTimeout(Duration newTimeout) {
        if (newTimeout.compareTo(Duration.ofMillis(1)) < 0 || newTimeout.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new InboxConfigurationException(
                    "The property 'inbox.claim.timeout' is " + newTimeout + ", which is not from 1 ms to 1 h",
                    "Choose a wait that is well below max.poll.interval.ms and the acknowledgement timeout of the broker");
        }
        claimTimeout = newTimeout;
        return this;
    }

    /**
     * How often a transaction is tried when the database reports a serialisation failure or a deadlock.
     *
     * @param newAttempts 1 or more, the first try included
     */
    public JdbcInboxBuilder attempts(int newAttempts) {
        if (newAttempts < 1) {
            throw new InboxConfigurationException(
                    "The property 'inbox.transaction.attempts' is " + newAttempts + ", which is less than 1",
                    "Choose 1 or more");
        }
        attempts = newAttempts;
        return this;
    }

    /** Whether logs show ids as they are. */
    public JdbcInboxBuilder logMessageIds(boolean newLogMessageIds) {
        logMessageIds = newLogMessageIds;
        return this;
    }

    /** What becomes of a message that is older than the memory of its consumer. */
    public JdbcInboxBuilder staleAction(StaleAction newAction) {
        staleAction = newAction;
        return this;
    }

    /** Who tells which consumers are alive; without it, all that this process uses are. */
    public JdbcInboxBuilder liveConsumers(LiveConsumers newConsumers) {
        liveConsumers = newConsumers;
        return this;
    }

    /** Who hears what becomes of messages. */
    public JdbcInboxBuilder observer(InboxObserver newObserver) {
        observer = newObserver;
        return this;
    }

    /**
     * Migrates the schema if it is to, and proves, in a transaction that is rolled back, that a claim is part of a
     * transaction of this manager.
     *
     * @throws InboxConfigurationException if it is not
     */
    public JdbcInbox build() {
        TransactionProof.check(dataSource, transactionManager);
        if (migrate) {
            new InboxSchema(dataSource, tables).migrate();
        }
        return new JdbcInbox(this);
    }
}
