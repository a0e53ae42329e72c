package io.inboxkit.outbox.autoconfigure;

import io.inboxkit.outbox.BrokerPublisher;
import io.inboxkit.outbox.OutboxOperations;
import io.inboxkit.outbox.RelayObserver;
import io.inboxkit.outbox.autoconfigure.OutboxAutoConfiguration.SingleOutbox;
import io.inboxkit.outbox.jdbc.JdbcOutboxOperations;
import io.inboxkit.outbox.jdbc.JdbcRelayMessages;
import io.inboxkit.outbox.jdbc.JdbcRelayPartitions;
import io.inboxkit.outbox.jdbc.OutboxTables;
import io.inboxkit.outbox.jdbc.PublishedHistory;
import io.inboxkit.outbox.jdbc.RelayStartCheck;
import io.inboxkit.outbox.jdbc.WakeUpReceiver;
import io.inboxkit.outbox.kafka.KafkaPublisher;
import io.inboxkit.outbox.observe.OutboxEndpoint;
import io.inboxkit.outbox.observe.OutboxHealthIndicator;
import io.inboxkit.outbox.observe.OutboxMetrics;
import io.inboxkit.outbox.relay.Relay;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetAddress;
import java.net.UnknownHostException;
import javax.sql.DataSource;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.kafka.core.ProducerFactory;

/** The relay in this application, with what publishes to its brokers, its metrics, health and endpoint. */
@AutoConfiguration(
        after = OutboxAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration",
            "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration"
        })
@ConditionalOnBooleanProperty("outbox.relay.enabled")
public final class RelayAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    OutboxOperations outboxOperations(OutboxDatabase database, OutboxProperties properties) {
        return new JdbcOutboxOperations(database.dataSource(), SingleOutbox.tables(properties));
    }

    @Bean
    @ConditionalOnMissingBean(RelayObserver.class)
    RelayObserver outboxNoObserver() {
        return RelayObserver.NONE;
    }

    /** The schema is a parameter so that it is there first. */
    @Bean
    @ConditionalOnMissingBean
    Relay outboxRelay(
            OutboxDatabase database,
            ObjectProvider<OutboxSchemaInitializer> schema,
            OutboxProperties properties,
            ObjectProvider<BrokerPublisher> publishers,
            RelayObserver observer,
            Environment environment) {
        schema.forEach(initializer -> {});
        DataSource dataSource = database.dataSource();
        OutboxTables tables = SingleOutbox.tables(properties);
        OutboxProperties.Relay relay = properties.relay();
        new RelayStartCheck(dataSource, tables).run();
        return new Relay(
                hostName(),
                relay.settings(),
                new JdbcRelayPartitions(dataSource, tables),
                new JdbcRelayMessages(dataSource, tables, !relay.keepPublished().isZero()),
                new WakeUpReceiver(direct(dataSource, relay.wakeup().url(), environment), dataSource),
                publishers.orderedStream().toList(),
                observer);
    }

    @Bean
    @ConditionalOnMissingBean
    @Conditional(KeepsPublished.class)
    PublishedHistory outboxPublishedHistory(
            OutboxDatabase database, ObjectProvider<OutboxSchemaInitializer> schema, OutboxProperties properties) {
        schema.forEach(initializer -> {});
        return new PublishedHistory(
                database.dataSource(),
                SingleOutbox.tables(properties),
                properties.relay().keepPublished());
    }

    /** By the user of the application, unless the address names another one. */
    private static DataSource direct(DataSource dataSource, String url, Environment environment) {
        return url.isEmpty()
                ? dataSource
                : new DriverManagerDataSource(
                        url,
                        environment.getProperty("spring.datasource.username", ""),
                        environment.getProperty("spring.datasource.password", ""));
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName() + ":"
                    + ProcessHandle.current().pid();
        } catch (UnknownHostException e) {
            return "process " + ProcessHandle.current().pid();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({KafkaProducer.class, ProducerFactory.class})
    static class Kafka {

        @Bean
        @ConditionalOnBean(ProducerFactory.class)
        @ConditionalOnMissingBean(KafkaPublisher.class)
        KafkaPublisher outboxKafkaPublisher(
                ObjectProvider<ProducerFactory<?, ?>> factories, OutboxProperties properties) {
            return new KafkaPublisher(
                    factories.getObject().getConfigurationProperties(),
                    properties.relay().sendTimeout(),
                    properties.relay().kafka().allowTopicCreation());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static class Metrics {

        @Bean
        @ConditionalOnBean(MeterRegistry.class)
        @ConditionalOnMissingBean(RelayObserver.class)
        OutboxMetrics outboxMetrics(MeterRegistry registry, OutboxOperations operations) {
            return new OutboxMetrics(registry, operations);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    static class Health {

        @Bean
        @ConditionalOnMissingBean(name = "outboxHealthIndicator")
        OutboxHealthIndicator outboxHealthIndicator(
                Relay relay, OutboxOperations operations, OutboxProperties properties) {
            return new OutboxHealthIndicator(
                    relay::state, operations, properties.relay().maxAge());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Endpoint.class)
    static class Actuator {

        @Bean
        @ConditionalOnMissingBean
        OutboxEndpoint outboxEndpoint(OutboxOperations operations) {
            return new OutboxEndpoint(operations);
        }
    }
}
