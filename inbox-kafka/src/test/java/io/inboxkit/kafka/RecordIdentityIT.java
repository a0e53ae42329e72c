package io.inboxkit.kafka;

import static io.inboxkit.kafka.ListenerApplication.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.inboxkit.HeldDeliveries;
import io.inboxkit.IdempotentConsumer;
import io.inboxkit.InvalidMessageIdException;
import io.inboxkit.MissingIdPolicy;
import io.inboxkit.kafka.ListenerApplication.Effects;
import java.util.UUID;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.support.MessageBuilder;

class RecordIdentityIT {

    private static final String GROUP = "billing";

    @Test
    void sameUuidIsTheSameIdHoweverItIsSet() {
        try (var application = ListenerApplication.start(ByHeader.class, "group=" + GROUP)) {
            UUID id = UUID.randomUUID();
            KafkaTemplate<?, ?> template = application.bean(KafkaTemplate.class);
            template.send(MessageBuilder.withPayload("one")
                            .setHeader("message-id", id)
                            .setHeader(KafkaHeaders.TOPIC, application.topic())
                            .build())
                    .join();
            template.send(MessageBuilder.withPayload("one")
                            .setHeader("message-id", id.toString())
                            .setHeader(KafkaHeaders.TOPIC, application.topic())
                            .build())
                    .join();
            application.sendWith("one", header("message-id", id.toString()));
            application.send("m2", "two");
            application.awaitEffects(2);

            assertThat(application.effects()).containsExactly("one", "two");
            assertThat(application.inbox().find(GROUP + ":" + application.topic(), id.toString()))
                    .isPresent();
        }
    }

    @Test
    void oddHeadersBreakNothing() {
        try (var application = ListenerApplication.start(ByHeader.class, "group=" + GROUP)) {
            Header hostileTypes = header("spring_json_header_types", "{\"message-id\":\"java.lang.String\",[[[");
            application.sendWith(
                    "one", header("message-id", "\"m1"), hostileTypes, new RecordHeader("trace", (byte[]) null));
            application.sendWith(
                    "one", header("message-id", "\"m1"), new RecordHeader("x", new byte[] {(byte) 0xff, 0}));
            application.sendWith("two", header("message-id", "m2"), header("message-id", "m2"));
            application.sendWith("three", header("Message-ID", "m3"));
            application.awaitSettled(GROUP);

            assertThat(application.effects()).containsExactly("one", "two", "three");
        }
    }

    @Test
    void tombstonesAreOrdinaryMessages() {
        try (var application = ListenerApplication.start(ByHeader.class, "group=" + GROUP)) {
            application.send("m1", null);
            application.send("m1", null);
            application.awaitSettled(GROUP);

            assertThat(application.effects()).containsExactly("null");
        }
    }

    @Test
    void messageWithoutAnIdIsHeldWhereItHasNowhereToGo() {
        try (var application = ListenerApplication.start(ByHeader.class, "group=" + GROUP)) {
            application.send("m1", "one");
            application.send(null, "no id");
            application.send("m2", "behind");
            HeldDeliveries held = application.bean(HeldDeliveries.class);

            await().atMost(ListenerApplication.PATIENCE).untilAsserted(() -> assertThat(held.list())
                    .singleElement()
                    .satisfies(one -> assertThat(one.position()).isEqualTo(application.topic() + "-0@1")));
            assertThat(application.effects()).containsExactly("one");
        }
    }

    @Test
    void ambiguousIdIsRefused() {
        try (var application = ListenerApplication.start(ByHeader.class, "group=" + GROUP)) {
            application.sendWith("one", header("message-id", "A"), header("message-id", "B"));
            HeldDeliveries held = application.bean(HeldDeliveries.class);

            await().atMost(ListenerApplication.PATIENCE).untilAsserted(() -> assertThat(held.list())
                    .singleElement()
                    .satisfies(one -> assertThat(one.cause()).isInstanceOf(InvalidMessageIdException.class)));
            assertThat(application.effects()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = MissingIdPolicy.class,
            names = {"USE_POSITION", "USE_FINGERPRINT", "PROCESS"})
    void missingIdHasASubstitute(MissingIdPolicy policy) {
        try (var application =
                ListenerApplication.start(ByHeader.class, "group=" + GROUP, "inbox.message-id.on-missing=" + policy)) {
            application.send(null, "one");
            application.send(null, "one");
            application.sendWith("one", new RecordHeader("message-id", new byte[0]));
            application.awaitSettled(GROUP);

            assertThat(application.effects()).hasSize(policy == MissingIdPolicy.USE_FINGERPRINT ? 1 : 3);
        }
    }

    @Test
    void expressionsGiveIdAndScope() {
        try (var application = ListenerApplication.start(ByExpression.class)) {
            application.sendWith("7", header("tenant", "a"));
            application.sendWith("7", header("tenant", "a"));
            application.sendWith("7", header("tenant", "b"));
            application.awaitSettled(GROUP);

            assertThat(application.effects()).containsExactly("7", "7");
            assertThat(application.inbox().find("payments", "a", "id-7")).isPresent();
            assertThat(application.inbox().find("payments", "b", "id-7")).isPresent();
        }
    }

    @Import(ByHeader.Listener.class)
    static class ByHeader {

        static class Listener {

            private final Effects effects;

            Listener(Effects effects) {
                this.effects = effects;
            }

            @KafkaListener(topics = "${topic}", groupId = "${group}")
            @IdempotentConsumer
            void on(@Payload(required = false) String payload) {
                effects.add(payload);
            }
        }
    }

    @Import(ByExpression.Listener.class)
    static class ByExpression {

        static class Listener {

            private final Effects effects;

            Listener(Effects effects) {
                this.effects = effects;
            }

            @KafkaListener(topics = "${topic}", groupId = GROUP)
            @IdempotentConsumer(
                    consumer = "payments",
                    messageId = "'id-' + #amount",
                    scope = "#headers['tenant']",
                    onMissingId = MissingIdPolicy.REJECT)
            void on(String amount) {
                effects.add(amount);
            }
        }
    }
}
