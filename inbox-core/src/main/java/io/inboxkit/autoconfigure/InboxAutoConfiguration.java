package io.inboxkit.autoconfigure;

import io.inboxkit.ConsumerSettings;
import io.inboxkit.HeldDeliveries;
import io.inboxkit.Inbox;
import io.inboxkit.InboxObserver;
import io.inboxkit.InterceptedHandlers;
import io.inboxkit.LiveConsumers;
import io.inboxkit.jdbc.InboxHeartbeat;
import io.inboxkit.jdbc.InboxPurge;
import io.inboxkit.jdbc.InboxSchema;
import io.inboxkit.jdbc.InboxTables;
import io.inboxkit.jdbc.JdbcInbox;
import io.inboxkit.observe.InboxHealthIndicator;
import io.inboxkit.observe.InboxMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The inbox in the application's own database: schema, purge, metrics and health. Each bean backs off for one of the
 * application's own.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration"
        })
@ConditionalOnInboxSwitch("inbox.enabled")
@EnableConfigurationProperties(InboxProperties.class)
public final class InboxAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    HeldDeliveries inboxHeldDeliveries() {
        return new HeldDeliveries();
    }

    @Bean
    @ConditionalOnMissingBean
    InterceptedHandlers inboxInterceptedHandlers() {
        return new InterceptedHandlers();
    }

    @Bean
    @ConditionalOnMissingBean
    LiveConsumers inboxLiveConsumers() {
        return new LiveConsumers();
    }

    @Bean
    @ConditionalOnMissingBean
    InboxHeartbeat inboxHeartbeat(ObjectProvider<JdbcInbox> inboxes) {
        return new InboxHeartbeat(inboxes.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean(InboxObserver.class)
    InboxObserver inboxNoObserver() {
        return InboxObserver.NONE;
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnInboxSwitch("inbox.purge.enabled")
    InboxPurge inboxPurge(ObjectProvider<JdbcInbox> inboxes, InboxProperties properties, InboxObserver observer) {
        InboxProperties.Purge purge = properties.purge();
        return new InboxPurge(
                inboxes.orderedStream().toList(),
                new InboxPurge.Settings(purge.interval(), purge.batchSize(), purge.margin()),
                observer);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(Inbox.class)
    static class SingleInbox {

        @Bean
        InboxDatabase inboxDatabase(ConfigurableListableBeanFactory beans) {
            return new InboxDatabase(beans);
        }

        @Bean
        InboxSchemaInitializer inboxSchemaInitializer(InboxDatabase database, InboxProperties properties) {
            return new InboxSchemaInitializer(
                    new InboxSchema(database.dataSource(), tables(properties)),
                    properties.schema().mode());
        }

        /** The schema is a parameter so that it is there first. */
        @Bean
        JdbcInbox inbox(
                InboxDatabase database,
                InboxSchemaInitializer schema,
                InboxProperties properties,
                InboxObserver observer,
                LiveConsumers liveConsumers) {
            DataSource dataSource = database.dataSource();
            return JdbcInbox.builder(dataSource, database.transactionManager(dataSource))
                    .tables(tables(properties))
                    .migrate(false)
                    .defaults(ConsumerSettings.of(properties.fingerprint().onReused(), properties.retention()))
                    .claimTimeout(properties.claim().timeout())
                    .attempts(properties.transaction().attempts())
                    .logMessageIds(properties.logMessageIds())
                    .staleAction(properties.stale().action())
                    .liveConsumers(liveConsumers)
                    .observer(observer)
                    .build();
        }

        private static InboxTables tables(InboxProperties properties) {
            return new InboxTables(properties.schema().name(), properties.tablePrefix());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static class Metrics {

        @Bean
        @ConditionalOnBean(MeterRegistry.class)
        @ConditionalOnMissingBean(InboxObserver.class)
        InboxMetrics inboxMetrics(MeterRegistry registry) {
            return new InboxMetrics(registry);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    static class Health {

        @Bean
        @ConditionalOnMissingBean(name = "inboxHealthIndicator")
        InboxHealthIndicator inboxHealthIndicator(HeldDeliveries held, ObjectProvider<Inbox> inboxes) {
            return new InboxHealthIndicator(held, inboxes.orderedStream().toList());
        }
    }
}
