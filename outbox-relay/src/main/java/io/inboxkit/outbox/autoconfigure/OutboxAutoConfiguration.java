package io.inboxkit.outbox.autoconfigure;

import io.inboxkit.outbox.CurrentTrace;
import io.inboxkit.outbox.InvalidOutboxMessageException;
import io.inboxkit.outbox.JacksonPayloadWriter;
import io.inboxkit.outbox.MessageForm;
import io.inboxkit.outbox.Outbox;
import io.inboxkit.outbox.PayloadWriter;
import io.inboxkit.outbox.WakeUp;
import io.inboxkit.outbox.jdbc.JdbcOutbox;
import io.inboxkit.outbox.jdbc.OutboxSchema;
import io.inboxkit.outbox.jdbc.OutboxTables;
import io.inboxkit.outbox.jdbc.WakeUpSender;
import io.inboxkit.outbox.observe.ObservedTrace;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.function.SingletonSupplier;
import tools.jackson.databind.json.JsonMapper;

/** The outbox in the application's own database. Each bean backs off for one of the application's own. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
            "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@EnableConfigurationProperties(OutboxProperties.class)
public final class OutboxAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JsonMapper.class)
    static class Json {

        @Bean
        @ConditionalOnBean(JsonMapper.class)
        @ConditionalOnMissingBean(PayloadWriter.class)
        JacksonPayloadWriter outboxPayloadWriter(JsonMapper mapper) {
            return new JacksonPayloadWriter(mapper);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObservationRegistry.class)
    static class Tracing {

        @Bean
        @ConditionalOnBean(ObservationRegistry.class)
        @ConditionalOnMissingBean(CurrentTrace.class)
        ObservedTrace outboxTrace(ObservationRegistry registry) {
            return new ObservedTrace(registry);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(Outbox.class)
    static class SingleOutbox {

        @Bean
        OutboxDatabase outboxDatabase(ConfigurableListableBeanFactory beans) {
            return new OutboxDatabase(beans);
        }

        @Bean
        OutboxSchemaInitializer outboxSchemaInitializer(OutboxDatabase database, OutboxProperties properties) {
            return new OutboxSchemaInitializer(
                    new OutboxSchema(database.dataSource(), tables(properties)),
                    properties.schema().mode());
        }

        @Bean
        WakeUpSender outboxWakeUpSender(OutboxDatabase database) {
            return new WakeUpSender(database.dataSource());
        }

        /** The schema is a parameter so that it is there first. */
        @Bean
        JdbcOutbox outbox(
                OutboxDatabase database,
                OutboxSchemaInitializer schema,
                OutboxProperties properties,
                ObjectProvider<PayloadWriter> payloads,
                ObjectProvider<CurrentTrace> trace,
                ObjectProvider<WakeUp> wakeUps) {
            DataSource dataSource = database.dataSource();
            // Asked for when the first message was committed: a relay in this process may be made later than the
            // outbox.
            SingletonSupplier<List<WakeUp>> listeners =
                    SingletonSupplier.of(() -> wakeUps.orderedStream().toList());
            return new JdbcOutbox(
                    dataSource,
                    database.transactionManager(dataSource),
                    tables(properties),
                    new MessageForm(
                            payloads.getIfUnique(() -> SingleOutbox::withoutJson),
                            trace.getIfUnique(() -> CurrentTrace.NONE)),
                    () -> listeners.obtain().forEach(WakeUp::messagesCommitted));
        }

        private static byte[] withoutJson(Object payload) {
            throw new InvalidOutboxMessageException(
                    "A payload of type " + payload.getClass().getName()
                            + " cannot be written as JSON, since the application has no JsonMapper bean",
                    "Add spring-boot-starter-jackson, define a PayloadWriter bean, or give text or bytes");
        }

        private static OutboxTables tables(OutboxProperties properties) {
            return new OutboxTables(properties.schema().name(), properties.tablePrefix());
        }
    }
}
