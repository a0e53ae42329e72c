package io.inboxkit.kafka;

import static io.inboxkit.kafka.ListenerApplication.header;
import static org.assertj.core.api.Assertions.assertThat;

import io.inboxkit.IdempotentConsumer;
import io.inboxkit.kafka.ListenerApplication.Effects;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.adapter.RecordFilterStrategy;

class SubscriptionIT {

    @Test
    void groupsOnOneTopicAreConsumersOfTheirOwn() {
        try (var application = ListenerApplication.start(TwoGroups.class)) {
            application.send("m1", "one");
            application.send("m1", "one");
            application.awaitSettled("billing");
            application.awaitSettled("shipping");

            assertThat(application.effects()).containsExactlyInAnyOrder("billed one", "shipped one");
        }
    }

    @Test
    void eachTopicOfAPatternIsAConsumerOfItsOwn() {
        try (var application = ListenerApplication.start(ByPattern.class)) {
            String other = application.topic() + "-other";
            TestBroker.createTopic(other, 1);
            for (String topic : new String[] {application.topic(), other}) {
                ListenerApplication.sendTo(topic, "on " + topic, header("message-id", "m1"));
                ListenerApplication.sendTo(topic, "on " + topic, header("message-id", "m1"));
                ListenerApplication.sendTo(topic, "last", header("message-id", "m2"));
            }
            application.awaitEffects(4);

            assertThat(application.effects())
                    .containsExactlyInAnyOrder("on " + application.topic(), "on " + other, "last", "last");
            assertThat(application.inbox().find("billing:" + other, "m1")).isPresent();
        }
    }

    @Test
    void filteredMessagesAreNotClaimedAndOwnFactoriesAreCovered() {
        try (var application = ListenerApplication.start(Filtered.class)) {
            application.send("m1", "drop");
            application.send("m2", "keep");
            application.send("m2", "keep");
            application.awaitSettled("billing");

            assertThat(application.effects()).containsExactly("keep");
            assertThat(application.inbox().find("billing:" + application.topic(), "m1"))
                    .isEmpty();
        }
    }

    @Test
    void withoutTheInboxDuplicatesAreProcessed() {
        try (var application = ListenerApplication.start(TwoGroups.class, "inbox.enabled=false")) {
            application.send("m1", "one");
            application.send("m1", "one");
            application.awaitEffects(4);

            assertThat(application.effects()).hasSize(4);
        }
    }

    static class TwoGroups {

        private final Effects effects;

        TwoGroups(Effects effects) {
            this.effects = effects;
        }

        @KafkaListener(topics = "${topic}", groupId = "billing", concurrency = "2")
        @IdempotentConsumer
        void bill(String payload) {
            effects.add("billed " + payload);
        }

        @KafkaListener(topics = "${topic}", groupId = "shipping")
        @IdempotentConsumer
        void ship(String payload) {
            effects.add("shipped " + payload);
        }
    }

    static class ByPattern {

        private final Effects effects;

        ByPattern(Effects effects) {
            this.effects = effects;
        }

        @KafkaListener(topicPattern = "${topic}.*", groupId = "billing")
        @IdempotentConsumer
        void on(String payload) {
            effects.add(payload);
        }
    }

    @Import(Filtered.Listener.class)
    static class Filtered {

        @Bean
        ConcurrentKafkaListenerContainerFactory<String, String> ownFactory(ConsumerFactory<?, ?> consumers) {
            var factory = new ConcurrentKafkaListenerContainerFactory<String, String>();
            @SuppressWarnings("unchecked")
            var typed = (ConsumerFactory<String, String>) consumers;
            factory.setConsumerFactory(typed);
            return factory;
        }

        @Bean
        RecordFilterStrategy<String, String> dropping() {
            return received -> received.value().equals("drop");
        }

        static class Listener {

            private final Effects effects;

            Listener(Effects effects) {
                this.effects = effects;
            }

            @KafkaListener(
                    topics = "${topic}",
                    groupId = "billing",
                    filter = "dropping",
                    containerFactory = "#{__listener.factory()}")
            @IdempotentConsumer
            void on(String payload) {
                effects.add(payload);
            }

            public String factory() {
                return "ownFactory";
            }
        }
    }
}
