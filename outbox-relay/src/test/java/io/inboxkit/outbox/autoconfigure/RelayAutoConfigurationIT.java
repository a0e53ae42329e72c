package io.inboxkit.outbox.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.inboxkit.outbox.Outbox;
import io.inboxkit.outbox.OutboxConfigurationException;
import io.inboxkit.outbox.OutboxMessage;
import io.inboxkit.outbox.RelayObserver;
import io.inboxkit.outbox.kafka.KafkaPublisher;
import io.inboxkit.outbox.observe.OutboxEndpoint;
import io.inboxkit.outbox.observe.OutboxEndpoint.Action;
import io.inboxkit.outbox.observe.OutboxHealthIndicator;
import io.inboxkit.outbox.relay.Relay;
import io.inboxkit.testkit.KafkaRecords;
import io.inboxkit.testkit.KafkaService;
import io.inboxkit.testkit.KafkaTopics;
import io.inboxkit.testkit.TestDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

class RelayAutoConfigurationIT {

    private static final TestDatabase database = TestDatabase.create();

    @AfterAll
    static void dropDatabase() {
        database.close();
    }

    private final String topic = KafkaTopics.createUnique("relay", 1);

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    KafkaAutoConfiguration.class,
                    OutboxAutoConfiguration.class,
                    RelayAutoConfiguration.class))
            .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
            .withPropertyValues(
                    "spring.datasource.url=" + database.url(),
                    "spring.datasource.username=" + database.user(),
                    "spring.datasource.password=" + database.password(),
                    "spring.datasource.hikari.maximum-pool-size=5",
                    "spring.kafka.bootstrap-servers=" + KafkaService.bootstrapServers(),
                    "outbox.relay.enabled=true");

    @Test
    void relayInTheApplicationPublishesWithMetricsAndHealth() {
        application.run(context -> {
            publish(context, "m1");
            await().untilAsserted(() -> assertThat(KafkaRecords.all(topic)).hasSize(1));

            MeterRegistry meters = context.getBean(MeterRegistry.class);
            await().untilAsserted(() -> assertThat(meters.get("outbox.messages")
                            .tag("outcome", "published")
                            .counter()
                            .count())
                    .isOne());
            assertThat(meters.get("outbox.latency").timer().max(TimeUnit.SECONDS))
                    .isPositive();
            await().untilAsserted(() ->
                    assertThat(meters.get("outbox.pending").gauge().value()).isZero());
            await().untilAsserted(() -> {
                Health health = health(context);
                assertThat(health.getStatus()).isEqualTo(Status.UP);
                assertThat(health.getDetails()).containsEntry("partitions", 32).containsEntry("pending", 0L);
            });
        });
    }

    @Test
    void failingDestinationTurnsHealthDown() {
        application.run(context -> {
            String missing = KafkaTopics.uniqueName("missing");
            publish(context, OutboxMessage.to("kafka:" + missing).payload("p"));
            await().untilAsserted(() -> {
                Health health = health(context);
                assertThat(health.getStatus()).isEqualTo(Status.DOWN);
                assertThat(health.getDetails().get("failing")).asString().contains(missing, "UnknownTopic");
            });
            new JdbcTemplate(context.getBean(DataSource.class)).execute("truncate outbox_message");
        });
    }

    @Test
    void publishedMessagesThatAreKeptAreMovedAndPublishedAgain() {
        application.withPropertyValues("outbox.relay.keep-published=7d").run(context -> {
            JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
            publish(context, "again");
            await().untilAsserted(() -> assertThat(jdbc.queryForObject(
                            "select count(*) from outbox_published where id = 'again' and tableoid <> 'outbox_published_other'::regclass",
                            Integer.class))
                    .isOne());
            OutboxEndpoint endpoint = context.getBean(OutboxEndpoint.class);
            assertThat(endpoint.act(Action.PUBLISH_AGAIN, "again", null, null, null, null, null, null)
                            .messages())
                    .isOne();
            await().untilAsserted(() -> assertThat(KafkaRecords.all(topic)).hasSize(2));
        });
    }

    @ParameterizedTest
    @CsvSource({
        "outbox.relay.lease, 15s",
        "outbox.relay.workers, 0",
        "outbox.relay.batch-size, 0",
        "outbox.relay.max-attempts, 0",
        "outbox.relay.keep-published, -1s",
        "outbox.relay.poll-interval, 0"
    })
    void wrongValueStopsTheStartAndIsNamed(String property, String value) {
        application.withPropertyValues(property + "=" + value).run(context -> assertThat(context)
                .hasFailed()
                .getFailure()
                .hasRootCauseInstanceOf(OutboxConfigurationException.class)
                .hasStackTraceContaining(property));
    }

    @ParameterizedTest
    @CsvSource({"acks, 1", "enable.idempotence, false", "retries, 0", "delivery.timeout.ms, 120000"})
    void producerSettingThatWeakensThePromiseStopsTheStart(String setting, String value) {
        application
                .withPropertyValues("spring.kafka.producer.properties." + setting + "=" + value)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasRootCauseInstanceOf(OutboxConfigurationException.class)
                        .hasStackTraceContaining(setting));
    }

    @Test
    void rowLevelSecurityThatHidesRowsStopsTheStart() {
        application
                .withPropertyValues("outbox.schema.name=hidden", "outbox.relay.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
        database.jdbc().execute("alter table hidden.outbox_message enable row level security");
        database.jdbc().execute("create role nobody_" + database.name() + " login password 'p'");
        database.jdbc().execute("grant all on schema hidden to nobody_" + database.name());
        database.jdbc().execute("grant all on all tables in schema hidden to nobody_" + database.name());
        application
                .withPropertyValues(
                        "outbox.schema.name=hidden",
                        "outbox.schema.mode=NONE",
                        "spring.datasource.username=nobody_" + database.name(),
                        "spring.datasource.password=p")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasRootCauseInstanceOf(OutboxConfigurationException.class)
                        .hasStackTraceContaining("Row-level security"));
        database.jdbc().execute("drop owned by nobody_" + database.name());
        database.jdbc().execute("drop role nobody_" + database.name());
    }

    @Test
    void nothingOfTheRelayIsThereUnlessItIsAskedFor() {
        application.withPropertyValues("outbox.relay.enabled=false").run(context -> assertThat(context)
                .hasSingleBean(Outbox.class)
                .doesNotHaveBean(Relay.class)
                .doesNotHaveBean(RelayObserver.class));
    }

    @Test
    void relayStartsWithoutKafka() {
        application
                .withClassLoader(new FilteredClassLoader(KafkaProducer.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Relay.class)
                        .doesNotHaveBean(KafkaPublisher.class));
    }

    private static Health health(ApplicationContext context) {
        return Objects.requireNonNull(
                context.getBean(OutboxHealthIndicator.class).health(true));
    }

    private void publish(ApplicationContext context, String id) {
        publish(context, OutboxMessage.to("kafka:" + topic).id(id).payload("p"));
    }

    private static void publish(ApplicationContext context, OutboxMessage message) {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> context.getBean(Outbox.class).publish(message));
    }
}
