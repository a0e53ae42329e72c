package io.inboxkit.rabbitmq;

import io.inboxkit.IdempotentConsumer;
import io.inboxkit.testkit.RabbitQueues;
import io.inboxkit.testkit.RabbitService;
import io.inboxkit.testkit.contract.AdapterContract;
import io.inboxkit.testkit.contract.EffectHandler;
import io.inboxkit.testkit.contract.ListenerUnderTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;

class RabbitAdapterContractIT extends AdapterContract {

    @Override
    protected ListenerUnderTest start(Map<String, String> properties, EffectHandler handler) {
        String queue = RabbitQueues.shared().declareWithDeadLetters("contract");
        List<String> all = new ArrayList<>(List.of("queue=" + queue, "spring.main.web-application-type=none"));
        RabbitService.address().springProperties().forEach((name, value) -> all.add(name + "=" + value));
        properties.forEach((name, value) -> all.add(name + "=" + value));
        if (!RabbitService.isRabbitMq()) {
            // It does not tell whether a queue has dead letters.
            all.add("inbox.reject.without-dead-letter=DROP");
        }
        return new Application(
                queue,
                new AtomicReference<>(new Sent(null, "")),
                new SpringApplicationBuilder(Effects.class)
                        .initializers(context -> context.getBeanFactory().registerSingleton("handler", handler))
                        .properties(all.toArray(String[]::new))
                        .run());
    }

    private record Sent(@Nullable String id, String body) {}

    private record Application(String queue, AtomicReference<Sent> last, ConfigurableApplicationContext context)
            implements ListenerUnderTest {

        @Override
        public void send(@Nullable String id, String body) {
            last.set(new Sent(id, body));
            RabbitQueues.shared().send(queue, id, body);
        }

        @Override
        public void redeliverLast() {
            // To the listener a copy looks the same: nothing in a message tells a redelivery.
            Sent message = Objects.requireNonNull(last.get());
            RabbitQueues.shared().send(queue, message.id, message.body);
        }

        @Override
        public void awaitSettled() {
            ListenerApplication.awaitSettled(context, queue);
        }

        @Override
        public List<String> deadLetters() {
            return RabbitQueues.shared().bodies(RabbitQueues.deadLettersOf(queue));
        }

        @Override
        public void close() {
            context.close();
        }
    }

    @EnableAutoConfiguration
    record Effects(EffectHandler handler, DataSource dataSource, PlatformTransactionManager manager) {

        @RabbitListener(queues = "${queue}")
        @IdempotentConsumer
        void on(String body) throws Exception {
            handler.handle(dataSource, manager, body);
        }
    }
}
