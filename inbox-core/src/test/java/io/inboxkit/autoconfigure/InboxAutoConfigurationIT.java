package io.inboxkit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.inboxkit.HeldDeliveries;
import io.inboxkit.Inbox;
import io.inboxkit.InboxConfigurationException;
import io.inboxkit.InboxMessage;
import io.inboxkit.InboxObserver;
import io.inboxkit.MissingMessageIdException;
import io.inboxkit.Outcome;
import io.inboxkit.jdbc.InboxPurge;
import io.inboxkit.jdbc.JdbcInbox;
import io.inboxkit.observe.InboxHealthIndicator;
import io.inboxkit.observe.InboxMetrics;
import io.inboxkit.testkit.TestDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

class InboxAutoConfigurationIT {

    private static final TestDatabase database = TestDatabase.create();

    @AfterAll
    static void dropDatabase() {
        database.close();
    }

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    JdbcClientAutoConfiguration.class,
                    InboxAutoConfiguration.class))
            .withPropertyValues(
                    "spring.datasource.url=" + database.url(),
                    "spring.datasource.username=" + database.user(),
                    "spring.datasource.password=" + database.password(),
                    "spring.datasource.hikari.maximum-pool-size=2");

    @Test
    void inboxIsReadyInAnApplicationWithADataSource() {
        application.run(context -> {
            Inbox inbox = context.getBean(Inbox.class);
            assertThat(inbox.process(InboxMessage.of("c", "ready"), () -> {})).isEqualTo(Outcome.PROCESSED);
            assertThat(context).hasSingleBean(InboxPurge.class).hasSingleBean(HeldDeliveries.class);
            assertThat(context.getBean(InboxPurge.class).isRunning()).isTrue();
        });
    }

    @Test
    void nothingIsThereWhenItIsOff() {
        application
                .withPropertyValues("inbox.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Inbox.class));
    }

    @Test
    void everyWordForTrueLeavesItOn() {
        application
                .withPropertyValues("inbox.enabled=yes", "inbox.purge.enabled=on")
                .run(context -> assertThat(context).hasSingleBean(Inbox.class).hasSingleBean(InboxPurge.class));
    }

    @Test
    void purgeCanBeLeftToOthers() {
        application
                .withPropertyValues("inbox.purge.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(InboxPurge.class));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    inbox.claim.timeout=0s              | inbox.claim.timeout
                    inbox.claim.timeout=soon            | inbox.claim.timeout
                    inbox.retention=-1d                 | inbox.retention
                    inbox.retention=0s                  | inbox.retention
                    inbox.transaction.attempts=0        | inbox.transaction.attempts
                    inbox.purge.batch-size=0            | inbox.purge.batch-size
                    inbox.purge.interval=0s             | inbox.purge.interval
                    inbox.message-id.headers=           | inbox.message-id.headers
                    inbox.message-id.on-missing=GUESS   | inbox.message-id.on-missing
                    inbox.message-id.on-missing=DEFAULT | inbox.message-id.on-missing
                    inbox.fingerprint.on-reused=DEFAULT | inbox.fingerprint.on-reused
                    inbox.fingerprint.mode=md5          | inbox.fingerprint.mode
                    inbox.schema.name=No Good           | inbox.schema.name
                    inbox.table-prefix=x-               | inbox.table-prefix
                    inbox.lease.duration=0s             | inbox.lease.duration
                    inbox.lease.max-crashes=0           | inbox.lease.max-crashes
                    inbox.stale.action=MAYBE            | inbox.stale.action
                    inbox.retenton=3d                   | inbox.retenton
                    inbox.retention=99999999d           | inbox.retention
                    inbox.enabled=maybe                 | inbox.enabled
                    inbox.purge.enabled=maybe           | inbox.purge.enabled
                    """)
    void wrongPropertyStopsTheStartAndIsNamed(String property, String name) {
        application.withPropertyValues(property).run(context -> assertThat(context)
                .getFailure()
                .satisfies(failure -> assertThat(causes(failure)).contains(name)));
    }

    @Test
    void twoDataSourcesWithoutAChoiceStopTheStart() {
        application.withUserConfiguration(TwoDataSources.class).run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(InboxConfigurationException.class)
                .hasMessageContainingAll("'orders'", "'billing'", "@Primary", "JdbcInbox.builder"));
    }

    @Test
    void dataSourceWithoutATransactionManagerStopsTheStart() {
        application.withUserConfiguration(ManagerOfAnotherDataSource.class).run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(InboxConfigurationException.class)
                .hasMessageContainingAll("'orders'", "'billingManager'", "of 'billing'", "JdbcTransactionManager"));
    }

    @Test
    void ownInboxesTakeTheRoleOfOurs() {
        application.withUserConfiguration(TwoInboxes.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBeansOfType(Inbox.class)).containsOnlyKeys("ordersInbox", "billingInbox");
        });
    }

    @Test
    void healthIsDownWhileADeliveryIsHeld() {
        application.run(context -> {
            InboxHealthIndicator health = context.getBean(InboxHealthIndicator.class);
            HeldDeliveries held = context.getBean(HeldDeliveries.class);
            assertThat(health.health().getStatus()).isEqualTo(Status.UP);

            held.hold("listener", "payments-0@42", new MissingMessageIdException("no id"));
            assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
            assertThat(health.health().getDetails()).asString().contains("payments-0@42", "no id");

            held.release("listener", "payments-0@42");
            assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        });
    }

    @Test
    void outcomesAreCountedWhereThereIsARegistry() {
        application.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run(context -> {
            assertThat(context).hasSingleBean(InboxMetrics.class).hasSingleBean(InboxObserver.class);
            Inbox inbox = context.getBean(Inbox.class);
            for (int i = 0; i < 3; i++) {
                inbox.process(InboxMessage.of("counted", "m1"), () -> {});
            }
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            assertThat(registry.get("inbox.messages")
                            .tags("consumer", "counted", "outcome", "processed")
                            .counter()
                            .count())
                    .isOne();
            assertThat(registry.get("inbox.messages")
                            .tags("consumer", "counted", "outcome", "duplicate")
                            .counter()
                            .count())
                    .isEqualTo(2);
            assertThat(registry.get("inbox.duplicates")
                            .tags("consumer", "counted", "origin", "unknown")
                            .counter()
                            .count())
                    .isEqualTo(2);
            assertThat(registry.get("inbox.claim").timer().count()).isEqualTo(3);
            assertThat(registry.get("inbox.processing").timer().count()).isEqualTo(3);
        });
    }

    @Test
    void micrometerAndActuatorAreNotNeeded() {
        application
                .withClassLoader(new FilteredClassLoader("io.micrometer", "org.springframework.boot.health"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Inbox.class));
    }

    @Test
    void applicationsOwnMigrationsRunFirstOnAnEmptySchema() {
        try (TestDatabase empty = TestDatabase.create()) {
            application
                    .withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
                    .withPropertyValues("spring.datasource.url=" + empty.url())
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
                        assertThat(jdbc.queryForList("select script from flyway_schema_history", String.class))
                                .containsExactly("V1__application.sql");
                        assertThat(jdbc.queryForList(
                                        "select script from inbox_schema_history where type = 'SQL'", String.class))
                                .startsWith("V1__inbox.sql");
                        context.getBean(DataSource.class)
                                .unwrap(com.zaxxer.hikari.HikariDataSource.class)
                                .close();
                    });
        }
    }

    @Test
    void missingTablesStopTheStartWhenTheyAreOnlyChecked() {
        application
                .withPropertyValues("inbox.schema.mode=VALIDATE", "inbox.table-prefix=absent_")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InboxConfigurationException.class)
                        .hasMessageContaining("absent_inbox_message"));
    }

    private static String causes(Throwable failure) {
        StringBuilder text = new StringBuilder();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            text.append(cause).append('\n');
        }
        return text.toString();
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDataSources {

        @Bean
        DataSource orders() {
            return database.dataSource();
        }

        @Bean
        DataSource billing() {
            return database.dataSource();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ManagerOfAnotherDataSource {

        @Bean
        @Primary
        DataSource orders() {
            return database.dataSource();
        }

        @Bean
        DataSource billing() {
            return database.dataSource();
        }

        @Bean
        PlatformTransactionManager billingManager(List<DataSource> dataSources, DataSource orders) {
            return new JdbcTransactionManager(dataSources.stream()
                    .filter(dataSource -> dataSource != orders)
                    .findFirst()
                    .orElseThrow());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoInboxes {

        @Bean
        JdbcInbox ordersInbox() {
            return inbox();
        }

        @Bean
        JdbcInbox billingInbox() {
            return inbox();
        }

        private static JdbcInbox inbox() {
            DataSource dataSource = database.dataSource();
            return JdbcInbox.builder(dataSource, new JdbcTransactionManager(dataSource))
                    .build();
        }
    }
}
