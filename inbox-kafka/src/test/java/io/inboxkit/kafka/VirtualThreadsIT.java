package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.inboxkit.IdempotentConsumer;
import io.inboxkit.kafka.ListenerApplication.Effects;
import io.inboxkit.testkit.KafkaRecords;
import io.inboxkit.testkit.KafkaTopics;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.kafka.annotation.KafkaListener;

/** More listeners than carrier threads and connections: none of them may pin its carrier while it waits. */
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadsIT {

    private static final int PARTITIONS = 20;
    private static final int MESSAGES = 1000;

    @Test
    void everyMessageHasOneEffect() {
        String wide = TestBroker.newTopic(PARTITIONS);
        // Every fifth message follows a second time, on another partition.
        for (int i = 0; i < MESSAGES; i++) {
            send(wide, i % PARTITIONS, i);
            if (i % 5 == 0) {
                send(wide, (i + 1) % PARTITIONS, i);
            }
        }
        try (var application = ListenerApplication.start(
                Billing.class,
                "wide=" + wide,
                "spring.threads.virtual.enabled=true",
                "spring.kafka.listener.concurrency=" + PARTITIONS)) {
            KafkaTopics.awaitNoLag("billing", wide);

            assertThat(application.effects()).hasSize(MESSAGES).doesNotHaveDuplicates();
            assertThat(application.bean(Billing.class).threadGroups).containsExactly("VirtualThreads");
        }
    }

    private static void send(String topic, int partition, int number) {
        byte[] text = ("m" + number).getBytes(StandardCharsets.UTF_8);
        var message = new ProducerRecord<String, byte[]>(topic, partition, "key", text);
        message.headers().add("message-id", text);
        KafkaRecords.send(message);
    }

    static class Billing {

        private final Set<String> threadGroups = ConcurrentHashMap.newKeySet();
        private final Effects effects;

        Billing(Effects effects) {
            this.effects = effects;
        }

        @KafkaListener(topics = "${wide}", groupId = "billing")
        @IdempotentConsumer
        void on(String payload) {
            threadGroups.add(Thread.currentThread().getThreadGroup().getName());
            effects.add(payload);
        }
    }
}
