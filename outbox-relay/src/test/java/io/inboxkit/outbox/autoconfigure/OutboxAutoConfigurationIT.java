package io.inboxkit.outbox.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.inboxkit.outbox.InvalidOutboxMessageException;
import io.inboxkit.outbox.Outbox;
import io.inboxkit.outbox.OutboxConfigurationException;
import io.inboxkit.outbox.OutboxMessage;
import io.inboxkit.outbox.WakeUp;
import io.inboxkit.outbox.jdbc.WakeUpSender;
import io.inboxkit.testkit.TestDatabase;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

class OutboxAutoConfigurationIT {

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
                    OutboxAutoConfiguration.class))
            .withPropertyValues(
                    "spring.datasource.url=" + database.url(),
                    "spring.datasource.username=" + database.user(),
                    "spring.datasource.password=" + database.password(),
                    "spring.datasource.hikari.maximum-pool-size=2");

    @Test
    void outboxIsReadyInAnApplicationWithADataSource() {
        application.withBean(JsonMapper.class, JsonMapper::shared).run(context -> {
            assertThat(publish(context, OutboxMessage.to("kafka:orders").payload(Map.of("a", 1))))
                    .isNotBlank();
            assertThat(context.getBean(WakeUpSender.class).isRunning()).isTrue();
        });
    }

    @Test
    void jsonIsRefusedWhereTheApplicationHasNone() {
        application
                .withClassLoader(new FilteredClassLoader(JsonMapper.class, ObservationRegistry.class))
                .run(context -> {
                    assertThat(publish(context, OutboxMessage.to("kafka:orders").payload("text")))
                            .isNotBlank();
                    assertThatExceptionOfType(InvalidOutboxMessageException.class)
                            .isThrownBy(() -> publish(
                                    context, OutboxMessage.to("kafka:orders").payload(List.of())))
                            .withMessageContaining("JsonMapper");
                });
    }

    @Test
    void everyWakeUpHearsOfACommit() {
        AtomicInteger heard = new AtomicInteger();
        application.withBean(WakeUp.class, () -> heard::incrementAndGet).run(context -> {
            publish(context, OutboxMessage.to("kafka:orders").payload("p"));
            assertThat(heard).hasValue(1);
        });
    }

    @Test
    void unknownPropertyStopsTheStart() {
        application
                .withPropertyValues("outbox.tabel-prefix=x")
                .run(context ->
                        assertThat(context).hasFailed().getFailure().hasStackTraceContaining("outbox.tabel-prefix"));
    }

    @Test
    void wrongNamesStopTheStart() {
        application.withPropertyValues("outbox.schema.name=No Schema").run(context -> assertThat(context)
                .hasFailed()
                .getFailure()
                .hasRootCauseInstanceOf(OutboxConfigurationException.class)
                .hasStackTraceContaining("outbox.schema.name"));
    }

    @Test
    void migrationsRunAfterThoseOfTheApplication() {
        application
                .withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
                .withPropertyValues(
                        "spring.flyway.schemas=fresh",
                        "spring.flyway.locations=classpath:db/application",
                        "outbox.schema.name=fresh")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Outbox.class));
    }

    @Test
    void outboxOfTheApplicationTakesPrecedence() {
        application.withUserConfiguration(OwnOutbox.class).run(context -> assertThat(context)
                .hasNotFailed()
                .hasSingleBean(Outbox.class)
                .doesNotHaveBean(WakeUpSender.class));
    }

    private static String publish(ApplicationContext context, OutboxMessage message) {
        return Objects.requireNonNull(new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .execute(status -> context.getBean(Outbox.class).publish(message)));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnOutbox {

        @Bean
        Outbox own() {
            return new Outbox() {
                @Override
                public String publish(OutboxMessage message) {
                    return "own";
                }

                @Override
                public List<String> publishAll(List<OutboxMessage> messages) {
                    return List.of();
                }
            };
        }
    }
}
