package io.inboxkit.rabbitmq;

import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.inboxkit.Inbox;
import io.inboxkit.testkit.RabbitAddress;
import io.inboxkit.testkit.RabbitQueues;
import io.inboxkit.testkit.RabbitService;
import io.inboxkit.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** A Boot application with listeners, a database of its own and a fresh queue, which listeners name by ${queue}. */
final class ListenerApplication implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(30);

    private final TestDatabase database = TestDatabase.create();
    private final RabbitQueues queues;
    private final String queue;
    private final ConfigurableApplicationContext context;

    private ListenerApplication(Broker broker, List<Class<?>> sources, String... properties) {
        queues = RabbitQueues.of(broker.address);
        queue = RabbitQueues.uniqueName("queue");
        queues.declareWithDeadLetters(queue, broker.arguments);
        new JdbcTemplate(database.dataSource())
                .execute("create table effect (number serial, handler text, payload text)");
        List<String> all = new ArrayList<>(List.of(
                "queue=" + queue,
                "spring.datasource.url=" + database.url(),
                "spring.datasource.username=" + database.user(),
                "spring.datasource.password=" + database.password(),
                "spring.datasource.hikari.maximum-pool-size=3",
                "spring.main.banner-mode=off"));
        broker.address.springProperties().forEach((name, value) -> all.add(name + "=" + value));
        if (!RabbitService.isRabbitMq()) {
            // It does not tell whether a queue has dead letters.
            all.add("inbox.reject.without-dead-letter=DROP");
        }
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
        return start(new Broker(RabbitService.address(), Map.of()), listeners, properties);
    }

    static ListenerApplication start(Broker broker, Class<?> listeners, String... properties) {
        return new ListenerApplication(broker, new ArrayList<>(List.of(listeners)), properties);
    }

    /**
     * Where the queue is.
     *
     * @param arguments of its declaration
     */
    record Broker(RabbitAddress address, Map<String, Object> arguments) {}

    String queue() {
        return queue;
    }

    Inbox inbox() {
        return context.getBean(Inbox.class);
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** Sends to the queue of the application, with the id in the property. */
    void send(@Nullable String id, String payload) {
        queues.send(queue, id, payload);
    }

    /** Sends to the queue of the application, with these headers. */
    void sendWith(Map<String, Object> headers, String payload) {
        queues.send("", queue, new BasicProperties.Builder().headers(headers), payload);
    }

    /** Waits until the queue is empty, and nothing is unacknowledged. */
    void awaitSettled() {
        awaitSettled(context, queues, queue);
    }

    static void awaitSettled(ConfigurableApplicationContext context, String queue) {
        awaitSettled(context, RabbitQueues.shared(), queue);
    }

    /** The protocol does not tell what is unacknowledged; a stopped listener gives it back. */
    private static void awaitSettled(ConfigurableApplicationContext context, RabbitQueues queues, String queue) {
        var registry = context.getBean(RabbitListenerEndpointRegistry.class);
        // A container that gathers batches must have the time to do so before it is stopped.
        boolean gathers = context.getEnvironment()
                .getProperty("spring.rabbitmq.listener.simple.consumer-batch-enabled", Boolean.class, false);
        Duration pause = Duration.ofMillis(gathers ? 2500 : 100);
        await().pollDelay(pause)
                .pollInterval(pause)
                .atMost(PATIENCE)
                .pollInSameThread()
                .until(() -> {
                    if (queues.ready(queue) > 0) {
                        return false;
                    }
                    registry.stop();
                    boolean settled = queues.ready(queue) == 0;
                    // Not the registry, which leaves out those that do not start with it.
                    registry.getListenerContainers().forEach(Lifecycle::start);
                    return settled;
                });
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

    /** The bodies of the dead letters of the queue. */
    List<String> deadLetters() {
        return queues.bodies(RabbitQueues.deadLettersOf(queue));
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
