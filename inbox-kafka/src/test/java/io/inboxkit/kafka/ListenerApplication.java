package io.inboxkit.kafka;

import static org.awaitility.Awaitility.await;

import io.inboxkit.Inbox;
import io.inboxkit.testkit.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** A Boot application with listeners, a database of its own and a fresh topic, which listeners name by ${topic}. */
final class ListenerApplication implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(30);

    private final TestDatabase database = TestDatabase.create();
    private final String topic = TestBroker.newTopic(1);
    private final ConfigurableApplicationContext context;
    private int sent;

    private ListenerApplication(List<Class<?>> sources, String... properties) {
        new JdbcTemplate(database.dataSource())
                .execute("create table effect (number serial, handler text, payload text)");
        List<String> all = new ArrayList<>(List.of(
                "topic=" + topic,
                "spring.datasource.url=" + database.url(),
                "spring.datasource.username=" + database.user(),
                "spring.datasource.password=" + database.password(),
                "spring.datasource.hikari.maximum-pool-size=3",
                "spring.kafka.bootstrap-servers=" + TestBroker.bootstrapServers(),
                "spring.kafka.consumer.auto-offset-reset=earliest",
                "spring.kafka.consumer.properties.metadata.max.age.ms=1000",
                "logging.level.org.apache.kafka=ERROR",
                "spring.main.banner-mode=off"));
        all.addAll(List.of(properties));
        sources.add(Basics.class);
        try {
            context = new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
                    .web(WebApplicationType.NONE)
                    .properties(all.toArray(String[]::new))
                    .run();
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
    }

    static ListenerApplication start(Class<?> listeners, String... properties) {
        return new ListenerApplication(new ArrayList<>(List.of(listeners)), properties);
    }

    String topic() {
        return topic;
    }

    Inbox inbox() {
        return context.getBean(Inbox.class);
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** Sends to the topic of the application, with the id in the first of the configured headers. */
    void send(@Nullable String id, @Nullable String payload) {
        sendWith(payload, id == null ? new Header[0] : new Header[] {header("message-id", id)});
    }

    /** Sends to the topic of the application, with these headers. */
    void sendWith(@Nullable String payload, Header... headers) {
        sendTo(topic, payload, headers);
        sent++;
    }

    static void sendTo(String topic, @Nullable String payload, Header... headers) {
        Map<String, Object> config = Map.of("bootstrap.servers", TestBroker.bootstrapServers());
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(topic, 0, "key", payload, List.of(headers)))
                    .get(30, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException("Nothing could be sent to " + topic, e);
        }
    }

    static Header header(String name, String value) {
        return new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8));
    }

    /** Waits until the group has committed all that was sent to the topic of the application. */
    void awaitSettled(String group) {
        await().atMost(PATIENCE).until(() -> TestBroker.committed(group, topic, 0) == sent);
    }

    /** Waits until the handlers have committed so many effects. */
    void awaitEffects(int count) {
        await().atMost(PATIENCE).until(() -> effects().size() >= count);
    }

    /** What the handlers have written and committed, in order. */
    List<String> effects() {
        return new JdbcTemplate(database.dataSource())
                .queryForList("select payload from effect order by number", String.class);
    }

    @Override
    public void close() {
        context.close();
        database.close();
    }

    /** Writes the effect of a handler in its transaction. */
    static final class Effects {

        private final JdbcTemplate jdbc;

        Effects(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        /** How many effects a handler sees at the moment. */
        int count() {
            return Objects.requireNonNull(jdbc.queryForObject("select count(*) from effect", Integer.class));
        }

        void add(@Nullable Object payload) {
            jdbc.update("insert into effect (payload) values (?)", String.valueOf(payload));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Basics {

        @Bean
        Effects effects(JdbcTemplate jdbc) {
            return new Effects(jdbc);
        }
    }
}
