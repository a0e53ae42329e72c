package io.inboxkit.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.inboxkit.HeldDeliveries;
import io.inboxkit.Inbox;
import io.inboxkit.InboxConfigurationException;
import io.inboxkit.InboxObserver;
import io.inboxkit.InterceptedHandlers;
import io.inboxkit.autoconfigure.InboxProperties;
import io.inboxkit.jdbc.JdbcInbox;
import io.inboxkit.rabbitmq.autoconfigure.InboxRabbitAutoConfiguration;
import io.inboxkit.testkit.TestDatabase;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.rabbit.annotation.RabbitListenerConfigurer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;

class ListenerRefusalsIT {

    private static final TestDatabase database = TestDatabase.create();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    PropertyPlaceholderAutoConfiguration.class,
                    RabbitAutoConfiguration.class,
                    InboxRabbitAutoConfiguration.class))
            .withUserConfiguration(Database.class)
            // Nothing listens there: what is refused is refused without the broker.
            .withPropertyValues(
                    "spring.rabbitmq.listener.simple.auto-startup=false",
                    "spring.rabbitmq.port=1",
                    "inbox.reject.without-dead-letter=DROP");

    @AfterAll
    static void dropDatabase() {
        database.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    AttemptFirst   | AttemptFirst.on(InboxAttempt, String) has InboxAttempt before its payload
                    AttemptOfBatch | takes a list of messages and an InboxAttempt
                    Leased         | asks for mode = LEASED
                    ByPosition     | asks for track = POSITION, but a message in RabbitMQ has no position
                    UsesPosition   | is USE_POSITION), but a message in RabbitMQ has no position
                    StoresReply    | asks for storeReply = true
                    ReturnsFuture  | returns CompletableFuture
                    IsAsync        | is @Async
                    RequiresNew    | is @Transactional(propagation = REQUIRES_NEW)
                    TwoOnOneQueue  | The consumer 'q' is used by two listeners
                    BrokerNamed    | so its consumer has no stable name
                    ExclusiveQueue | the exclusive or anonymous queue 'own', so its consumer has no stable name
                    WrongVariable  | #nothing
                    NoListener     | but no RabbitMQ listener calls it as its handler
                    """)
    void startIsRefused(String listener, String problem) throws ClassNotFoundException {
        Class<?> type = Class.forName(RefusedListeners.class.getName() + "$" + listener);
        application.withBean(type).run(context -> assertThat(context.getStartupFailure())
                .rootCause()
                .isInstanceOf(InboxConfigurationException.class)
                .hasMessageContaining(problem));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Fine", "FineClass", "ExclusiveWithAName"})
    void startIsNotRefused(String listener) throws ClassNotFoundException {
        Class<?> type = Class.forName(RefusedListeners.class.getName() + "$" + listener);
        application.withBean(type).run(context -> assertThat(context.getStartupFailure())
                .isNull());
    }

    @Test
    void endpointThatPassesAnotherRegistryIsRefused() {
        application
                .withBean(RefusedListeners.Fine.class)
                .withUserConfiguration(OwnRegistry.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("its endpoint did not pass the inbox"));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(InboxProperties.class)
    static class Database {

        @Bean
        JdbcTransactionManager transactionManager() {
            return new JdbcTransactionManager(database.dataSource());
        }

        @Bean
        Inbox inbox(JdbcTransactionManager transactionManager) {
            DataSource dataSource = Objects.requireNonNull(transactionManager.getDataSource());
            return JdbcInbox.builder(dataSource, transactionManager).build();
        }

        @Bean
        HeldDeliveries heldDeliveries() {
            return new HeldDeliveries();
        }

        @Bean
        InterceptedHandlers interceptedHandlers() {
            return new InterceptedHandlers();
        }

        @Bean
        InboxObserver observer() {
            return InboxObserver.NONE;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnRegistry {

        @Bean
        RabbitListenerConfigurer ownRegistry() {
            return registrar -> registrar.setEndpointRegistry(new RabbitListenerEndpointRegistry());
        }
    }
}
