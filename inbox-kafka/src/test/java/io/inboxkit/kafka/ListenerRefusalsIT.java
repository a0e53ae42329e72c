package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.inboxkit.HeldDeliveries;
import io.inboxkit.Inbox;
import io.inboxkit.InboxConfigurationException;
import io.inboxkit.InboxObserver;
import io.inboxkit.InterceptedHandlers;
import io.inboxkit.autoconfigure.InboxProperties;
import io.inboxkit.jdbc.JdbcInbox;
import io.inboxkit.kafka.autoconfigure.InboxKafkaAutoConfiguration;
import io.inboxkit.testkit.TestDatabase;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.kafka.annotation.KafkaListenerConfigurer;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.transaction.PlatformTransactionManager;

class ListenerRefusalsIT {

    private static final TestDatabase database = TestDatabase.create();

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    PropertyPlaceholderAutoConfiguration.class,
                    KafkaAutoConfiguration.class,
                    InboxKafkaAutoConfiguration.class))
            .withUserConfiguration(Database.class)
            .withPropertyValues("spring.kafka.listener.auto-startup=false", "spring.kafka.consumer.group-id=g");

    @AfterAll
    static void dropDatabase() {
        database.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    Batch             | is a batch listener
                    AttemptFirst      | AttemptFirst.on(InboxAttempt, String) has InboxAttempt before its payload
                    AttemptOfBatch    | takes a list of messages and an InboxAttempt
                    Leased            | asks for mode = LEASED
                    PositionLeased    | has track = POSITION together with mode = LEASED
                    PositionStoresReply | has track = POSITION together with storeReply = true
                    PositionWithId    | has track = POSITION together with messageId
                    PositionWithScope | has track = POSITION together with scope
                    PositionOnMissing | has track = POSITION together with onMissingId
                    PositionOnReused  | has track = POSITION together with onReusedId
                    PositionWithRetries | has track = POSITION together with @RetryableTopic
                    StoresReply       | asks for storeReply = true
                    ReturnsFuture     | returns CompletableFuture
                    IsAsync           | is @Async
                    RequiresNew       | is @Transactional(propagation = REQUIRES_NEW)
                    ReadOnly          | is @Transactional(readOnly = true)
                    OtherManager      | is @Transactional with transaction manager 'other'
                    OtherInbox        | names the transaction manager 'other', which belongs to 0 of the inboxes
                    UnknownManager    | names the transaction manager 'nobody', but there is no such transaction manager
                    WrongRetention    | retention = "soon" is no duration
                    WrongPlaceholder  | consumer = "${nothing}" cannot be resolved
                    WrongVariable     | #nothing
                    WrongExpression   | is no expression
                    TwoOnOneTopic     | The consumer 'g:t' is used by two listeners
                    TwoOfOneName      | The consumer 'same' is used by two listeners
                    NoListener        | but no Kafka listener calls it as its handler
                    OddName           | consumer has more than 500 characters, or a control character
                    SharedImplicit    | ShareAckMode.IMPLICIT, which accepts a record whatever its handler has done
                    SharedByPosition  | asks for track = POSITION in a share group
                    SharedByFingerprint | the bytes of its payloads cannot be had
                    SharedHalf        | has handlers without @IdempotentConsumer beside annotated ones
                    PatternAndTopic   | The consumer 'g:orders' is used by two listeners
                    """)
    void startIsRefused(String listener, String problem) throws ClassNotFoundException {
        Class<?> type = Class.forName(RefusedListeners.class.getName() + "$" + listener);
        application.withBean(type).run(context -> assertThat(context.getStartupFailure())
                .rootCause()
                .isInstanceOf(InboxConfigurationException.class)
                .hasMessageContaining(problem));
    }

    @Test
    void listenerWithoutAGroupNeedsAName() {
        application
                .withPropertyValues("spring.kafka.consumer.group-id=")
                .withBean(RefusedListeners.NoGroup.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("has no group id, so its consumer has no stable name"));
    }

    @Test
    void endpointThatPassesAnotherRegistryIsRefused() {
        application
                .withBean(RefusedListeners.Fine.class)
                .withUserConfiguration(OwnRegistry.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("Fine.on(String)")
                        .hasMessageContaining("its endpoint did not pass the inbox"));
    }

    @Test
    void allFindingsAreReportedTogether() {
        application
                .withBean(RefusedListeners.Leased.class)
                .withBean(RefusedListeners.IsAsync.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOfSatisfying(
                                InboxConfigurationException.class,
                                failure -> assertThat(failure.findings()).hasSize(2)));
    }

    @Test
    void nothingIsCheckedWhenTheInboxIsOff() {
        application
                .withPropertyValues("inbox.enabled=false")
                .withBean(RefusedListeners.Leased.class)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(InboxListeners.class));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(InboxProperties.class)
    static class Database {

        @Bean
        JdbcTransactionManager transactionManager() {
            return new JdbcTransactionManager(database.dataSource());
        }

        @Bean(defaultCandidate = false)
        PlatformTransactionManager other() {
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
        KafkaListenerConfigurer ownRegistry() {
            return registrar -> registrar.setEndpointRegistry(new KafkaListenerEndpointRegistry());
        }
    }
}
