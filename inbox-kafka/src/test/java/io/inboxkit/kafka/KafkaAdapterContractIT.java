package io.inboxkit.kafka;

import io.inboxkit.IdempotentConsumer;
import io.inboxkit.testkit.KafkaRecords;
import io.inboxkit.testkit.KafkaTopics;
import io.inboxkit.testkit.contract.AdapterContract;
import io.inboxkit.testkit.contract.EffectHandler;
import io.inboxkit.testkit.contract.ListenerUnderTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.backoff.FixedBackOff;

class KafkaAdapterContractIT extends AdapterContract {

    private static final String GROUP = "contract";

    @Override
    protected ListenerUnderTest start(Map<String, String> properties, EffectHandler handler) {
        String topic = KafkaTopics.createUnique("contract", 1);
        KafkaTopics.create(topic + "-dlt", 1);
        List<String> all = new ArrayList<>(List.of(
                "topic=" + topic,
                "spring.main.web-application-type=none",
                "spring.kafka.bootstrap-servers=" + TestBroker.bootstrapServers(),
                "spring.kafka.consumer.auto-offset-reset=earliest"));
        properties.forEach((name, value) -> all.add(name + "=" + value));
        return new Application(
                topic,
                new SpringApplicationBuilder(Effects.class)
                        .initializers(context -> context.getBeanFactory().registerSingleton("handler", handler))
                        .properties(all.toArray(String[]::new))
                        .run());
    }

    private record Application(String topic, ConfigurableApplicationContext context) implements ListenerUnderTest {

        @Override
        public void send(@Nullable String id, String body) {
            KafkaRecords.send(topic, body, id == null ? new String[0] : new String[] {"message-id", id});
        }

        @Override
        public void redeliverLast() {
            var registry = context.getBean(KafkaListenerEndpointRegistry.class);
            registry.stop();
            var partition = new TopicPartition(topic, 0);
            long end = KafkaTopics.endOffsets(topic).getOrDefault(partition, 0L);
            KafkaTopics.commit(GROUP, partition, end - 1);
            registry.start();
        }

        @Override
        public void awaitSettled() {
            KafkaTopics.awaitNoLag(GROUP, topic);
        }

        @Override
        public List<String> deadLetters() {
            return KafkaRecords.all(topic + "-dlt").stream()
                    .map(dead -> String.valueOf(KafkaRecords.text(dead)))
                    .toList();
        }

        @Override
        public void close() {
            context.close();
        }
    }

    @EnableAutoConfiguration
    record Effects(EffectHandler handler, DataSource dataSource, PlatformTransactionManager manager) {

        @Bean
        static DefaultErrorHandler errorHandler(KafkaTemplate<?, ?> template) {
            return new DefaultErrorHandler(new DeadLetterPublishingRecoverer(template), new FixedBackOff(0, 2));
        }

        @KafkaListener(topics = "${topic}", groupId = GROUP)
        @IdempotentConsumer
        void on(String body) throws Exception {
            handler.handle(dataSource, manager, body);
        }
    }
}
