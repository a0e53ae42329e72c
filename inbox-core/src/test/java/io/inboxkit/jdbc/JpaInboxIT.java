package io.inboxkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.inboxkit.ConsumerSettings;
import io.inboxkit.EntryState;
import io.inboxkit.InboxConfigurationException;
import io.inboxkit.InboxEntry;
import io.inboxkit.InboxMessage;
import io.inboxkit.Outcome;
import io.inboxkit.ReusedIdPolicy;
import io.inboxkit.testkit.TestDatabase;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceException;
import java.io.IOException;
import java.sql.Connection;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.UnexpectedRollbackException;

/** The inbox under a JPA transaction manager: entities and ids are committed together. */
class JpaInboxIT {

    private static final TestDatabase database = TestDatabase.create();
    private static final HikariDataSource dataSource = database.pool(4);
    private static final EntityManagerFactory factory = entityManagerFactory();

    private final EntityManager entities = SharedEntityManagerCreator.createSharedEntityManager(factory);
    private final JdbcTemplate jdbc = new JdbcTemplate(dataSource);
    private final JpaTransactionManager manager = new JpaTransactionManager(factory);
    private final JdbcInbox inbox = JdbcInbox.builder(dataSource, manager).build();

    private static EntityManagerFactory entityManagerFactory() {
        LocalContainerEntityManagerFactoryBean bean = new LocalContainerEntityManagerFactoryBean();
        bean.setDataSource(dataSource);
        bean.setPackagesToScan(JpaInboxIT.class.getPackageName());
        HibernateJpaVendorAdapter hibernate = new HibernateJpaVendorAdapter();
        hibernate.setGenerateDdl(true);
        bean.setJpaVendorAdapter(hibernate);
        bean.afterPropertiesSet();
        return Objects.requireNonNull(bean.getObject());
    }

    @AfterAll
    static void close() {
        factory.close();
        dataSource.close();
        database.close();
    }

    @Test
    void entityAndIdAreCommittedTogether() {
        InboxMessage message = InboxMessage.of("jpa", "together");

        assertThat(inbox.process(message, () -> entities.persist(new Payment("together"))))
                .isEqualTo(Outcome.PROCESSED);
        assertThat(inbox.process(message, () -> entities.persist(new Payment("again"))))
                .isEqualTo(Outcome.DUPLICATE);

        assertThat(payments("together")).isOne();
        assertThat(payments("again")).isZero();
    }

    @Test
    void failureRollsBoth() {
        InboxMessage message = InboxMessage.of("jpa", "failing");

        assertThatThrownBy(() -> inbox.process(message, () -> {
                    entities.persist(new Payment("failing"));
                    throw new IOException("checked");
                }))
                .isInstanceOf(IOException.class);

        assertThat(payments("failing")).isZero();
        assertThat(inbox.find("jpa", "failing")).map(InboxEntry::state).hasValue(EntryState.OPEN);
    }

    @Test
    void errorOfTheFlushAtCommitIsAFailure() {
        jdbc.update("insert into payment (id) values ('taken')");

        assertThatThrownBy(() ->
                        inbox.process(InboxMessage.of("jpa", "flush"), () -> entities.persist(new Payment("taken"))))
                .isInstanceOf(RuntimeException.class);

        assertThat(inbox.find("jpa", "flush")).map(InboxEntry::state).hasValue(EntryState.OPEN);
    }

    @Test
    void swallowedErrorOfAFlushIsAFailure() {
        jdbc.update("insert into payment (id) values ('swallowed')");

        assertThatExceptionOfType(UnexpectedRollbackException.class)
                .isThrownBy(() -> inbox.process(InboxMessage.of("jpa", "swallowed"), () -> {
                    entities.persist(new Payment("swallowed"));
                    try {
                        entities.flush();
                    } catch (PersistenceException swallowed) {
                        // as a handler would that takes the error for harmless
                    }
                }));

        assertThat(inbox.find("jpa", "swallowed")).map(InboxEntry::state).hasValue(EntryState.OPEN);
    }

    @Test
    void isolationOfTheHandlerHolds() {
        ConsumerSettings serializable = ConsumerSettings.of(ReusedIdPolicy.REJECT, Duration.ofDays(7))
                .transaction(Connection.TRANSACTION_SERIALIZABLE, Duration.ofSeconds(30));

        inbox.process(InboxMessage.of("jpa", "isolation"), serializable, () -> assertThat(
                        jdbc.queryForObject("select current_setting('transaction_isolation')", String.class))
                .isEqualTo("serializable"));
    }

    @Test
    void managerOfAnotherDataSourceIsRefused() {
        assertThatExceptionOfType(InboxConfigurationException.class)
                .isThrownBy(
                        () -> JdbcInbox.builder(database.dataSource(), manager).build())
                .withMessageContaining("JpaTransactionManager")
                .withMessageContaining("does not bind connections");
    }

    private int payments(String id) {
        return Objects.requireNonNull(
                jdbc.queryForObject("select count(*) from payment where id = ?", Integer.class, id));
    }

    @Entity(name = "payment")
    static class Payment {

        @Id
        private @Nullable String id;

        Payment() {}

        Payment(String id) {
            this.id = id;
        }
    }
}
