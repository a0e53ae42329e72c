package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.inboxkit.IdempotentConsumer;
import io.inboxkit.kafka.ListenerApplication.Effects;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.KafkaListenerConfigurer;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpointRegistrar;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;
import org.springframework.messaging.handler.annotation.support.DefaultMessageHandlerMethodFactory;
import org.springframework.util.ReflectionUtils;

/** Applications that are wired together in another way than Boot would do it. */
class ListenerWiringIT {

    @ParameterizedTest
    @ValueSource(classes = {LazyConnections.class, AwareOfTransactions.class, ByConfigurer.class})
    void idAndEffectAreCommittedTogether(Class<?> wiring) {
        try (var application = ListenerApplication.start(wiring)) {
            verify(application);
        }
    }

    @Test
    void lazyListenerIsCoveredWhenItComesAfterTheStart() {
        try (var application = ListenerApplication.start(FailsOnce.class, "spring.main.lazy-initialization=true")) {
            application.bean(FailsOnce.class);
            verify(application);
        }
    }

    @Test
    void transactionsOfKafkaLeaveThoseOfTheDatabaseAlone() {
        try (var application = ListenerApplication.start(
                FailsOnce.class,
                "spring.kafka.producer.transaction-id-prefix=tx-" + UUID.randomUUID(),
                "spring.kafka.consumer.isolation-level=read_committed")) {
            application.send("m1", "one");
            application.send("m1", "one");
            application.send("m2", "two");
            application.awaitEffects(2);

            assertThat(application.effects()).containsExactly("one", "two");
        }
    }

    private static void verify(ListenerApplication application) {
        application.send("m1", "one");
        application.send("m1", "one");
        application.send("m2", "two");

        application.awaitSettled("billing");

        assertThat(application.effects()).containsExactly("one", "two");
    }

    static class FailsOnce {

        private final AtomicInteger calls = new AtomicInteger();
        private final Effects effects;

        FailsOnce(Effects effects) {
            this.effects = effects;
        }

        @KafkaListener(topics = "${topic}", groupId = "billing")
        @IdempotentConsumer
        void on(String payload) {
            effects.add(payload);
            if (calls.getAndIncrement() == 0) {
                throw new IllegalStateException("first attempt");
            }
        }
    }

    @Import(FailsOnce.class)
    static class LazyConnections {

        @Bean
        DataSource dataSource(DataSourceProperties properties) {
            return new LazyConnectionDataSourceProxy(pool(properties));
        }
    }

    @Import(FailsOnce.class)
    static class AwareOfTransactions {

        @Bean
        DataSource dataSource(DataSourceProperties properties) {
            return new TransactionAwareDataSourceProxy(pool(properties));
        }
    }

    private static HikariDataSource pool(DataSourceProperties properties) {
        return properties
                .initializeDataSourceBuilder()
                .type(HikariDataSource.class)
                .build();
    }

    static class ByConfigurer implements KafkaListenerConfigurer {

        private final Effects effects;
        private final ConcurrentKafkaListenerContainerFactory<Object, Object> factory;
        private final String topic;

        ByConfigurer(
                Effects effects,
                ConcurrentKafkaListenerContainerFactory<Object, Object> factory,
                @Value("${topic}") String topic) {
            this.effects = effects;
            this.factory = factory;
            this.topic = topic;
        }

        @Override
        public void configureKafkaListeners(KafkaListenerEndpointRegistrar registrar) {
            DefaultMessageHandlerMethodFactory methods = new DefaultMessageHandlerMethodFactory();
            methods.afterPropertiesSet();
            MethodKafkaListenerEndpoint<Object, Object> endpoint = new MethodKafkaListenerEndpoint<>();
            endpoint.setId("by-hand");
            endpoint.setGroupId("billing");
            endpoint.setTopics(topic);
            endpoint.setBean(this);
            endpoint.setMethod(
                    Objects.requireNonNull(ReflectionUtils.findMethod(ByConfigurer.class, "on", String.class)));
            endpoint.setMessageHandlerMethodFactory(methods);
            registrar.registerEndpoint(endpoint, factory);
        }

        @IdempotentConsumer
        void on(String payload) {
            effects.add(payload);
        }
    }
}
