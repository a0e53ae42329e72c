package io.inboxkit.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class MessageFormTest {

    private final MessageForm form = new MessageForm(new JacksonPayloadWriter(JsonMapper.shared()), CurrentTrace.NONE);

    record OrderPlaced(String order, int amount) {}

    @Test
    void objectsAreSentAsJson() {
        StoredMessage message = form.of(to("kafka:orders").payload(new OrderPlaced("o-1", 5)));

        assertThat(message.payload()).asString(UTF_8).isEqualTo("{\"order\":\"o-1\",\"amount\":5}");
        assertThat(message.contentType()).isEqualTo("application/json");
    }

    @Test
    void textAndBytesAreSentAsTheyAre() {
        byte[] bytes = {0, -1, 13, 10};

        assertThat(form.of(to("kafka:orders").payload(" ä\r\n")).payload()).isEqualTo(" ä\r\n".getBytes(UTF_8));
        assertThat(form.of(to("kafka:orders").payload(bytes)).payload()).isEqualTo(bytes);
        assertThat(form.of(to("kafka:orders").payload("null")).payload()).isEqualTo("null".getBytes(UTF_8));
    }

    @Test
    void nullIsATombstone() {
        assertThat(form.of(to("kafka:orders").key("o-1").payload(null)).payload())
                .isNull();
        assertThat(form.of(to("kafka:orders").key("o-1")).payload()).isNull();
    }

    @Test
    void everyMessageHasAnId() {
        StoredMessage message = form.of(to("kafka:orders"));

        assertThat(UUID.fromString(message.id()).version()).isEqualTo(7);
        assertThat(form.of(to("kafka:orders")).id()).isNotEqualTo(message.id());
        assertThat(form.of(to("kafka:orders").id("given")).id()).isEqualTo("given");
    }

    @Test
    void keysAndHeadersAreKeptByteForByte() {
        byte[] bytes = {0, -1};
        StoredMessage message = form.of(to("kafka:orders")
                .key(bytes)
                .header("id", "1")
                .header("timestamp", bytes)
                .header("contentType", (String) null)
                .header("id", ""));

        assertThat(message.key()).isEqualTo(bytes);
        assertThat(message.headers())
                .containsExactly(
                        OutboxHeader.ofText("id", "1"),
                        new OutboxHeader("timestamp", bytes),
                        new OutboxHeader("contentType", null),
                        OutboxHeader.ofText("id", ""));
        assertThat(form.of(to("kafka:orders").key(42)).key()).isEqualTo("42".getBytes(UTF_8));
        assertThat(form.of(to("kafka:orders").key("")).key()).isEmpty();
    }

    @Test
    void traceOfTheWriterIsAddedUnlessTheMessageHasOne() {
        MessageForm traced = new MessageForm(
                payload -> new byte[0], () -> List.of(OutboxHeader.ofText("traceparent", "of the thread")));

        assertThat(traced.of(to("kafka:orders").header("a", "b")).headers())
                .containsExactly(OutboxHeader.ofText("a", "b"), OutboxHeader.ofText("traceparent", "of the thread"));
        assertThat(traced.of(to("kafka:orders").header("traceparent", "own")).headers())
                .containsExactly(OutboxHeader.ofText("traceparent", "own"));
    }

    @Test
    void headersThatTheRelaySendsAreRefused() {
        refused(to("kafka:orders").header("message-id", "x"), "OutboxMessage.id");
        refused(to("kafka:orders").type("t").header("type", "x"), "type");
        assertThat(form.of(to("kafka:orders").header("type", "x")).headers()).hasSize(1);
    }

    @Test
    void whatRabbitMqCouldNeverCarryIsRefused() {
        OutboxMessage message = to("rabbitmq:orders/placed").payload("p");
        refused(message.id("x".repeat(256)), "255");
        refused(message.type("x".repeat(256)), "255");
        refused(message.header("x".repeat(256), ""), "255");
        refused(message.header("large", new byte[200_000]), "one frame");
        refused(message.header("twice", "a").header("twice", "b"), "one header of each name");
        refused(message.payload(null), "tombstones");
        assertThat(form.of(message.id("x".repeat(255)).header("large", new byte[100_000])))
                .isNotNull();
        assertThat(form.of(to("kafka:orders").id("x".repeat(256)).header("large", new byte[200_000])))
                .isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\0b", "\ud800"})
    void textThatTheDatabaseCannotKeepIsRefusedBeforeIt(String text) {
        OutboxMessage message = to("kafka:orders");
        assertThatExceptionOfType(InvalidOutboxMessageException.class).isThrownBy(() -> message.id(text));
        assertThatExceptionOfType(InvalidOutboxMessageException.class).isThrownBy(() -> message.type(text));
        assertThatExceptionOfType(InvalidOutboxMessageException.class).isThrownBy(() -> message.header(text, "v"));
    }

    @Test
    void valuesWithoutAnUnmistakableTextAreRefused() {
        OutboxMessage message = to("kafka:orders");
        assertThatExceptionOfType(InvalidOutboxMessageException.class).isThrownBy(() -> message.key(new Object()));
        assertThatExceptionOfType(InvalidOutboxMessageException.class).isThrownBy(() -> message.id(5));
        assertThatExceptionOfType(InvalidOutboxMessageException.class).isThrownBy(() -> message.id(" "));
        assertThatExceptionOfType(InvalidOutboxMessageException.class).isThrownBy(() -> message.key("\udc00"));
    }

    @Test
    void objectsThatAreNoJsonAreRefused() {
        Map<String, Object> selfish = new HashMap<>();
        selfish.put("self", selfish);
        refused(to("kafka:orders").payload(selfish), "JSON");
    }

    private static OutboxMessage to(String destination) {
        return OutboxMessage.to(destination);
    }

    private void refused(OutboxMessage message, String because) {
        assertThatExceptionOfType(InvalidOutboxMessageException.class)
                .isThrownBy(() -> form.of(message))
                .withMessageContaining(because);
    }
}
