package io.inboxkit.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.inboxkit.autoconfigure.InboxProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class MessageIdInterceptorTest {

    private final MessageIdInterceptor interceptor = new MessageIdInterceptor();

    @Test
    void recordWithoutIdGetsATimeOrderedUuid() {
        ProducerRecord<Object, Object> first = interceptor.onSend(outgoing());
        ProducerRecord<Object, Object> second = interceptor.onSend(outgoing());

        UUID id = UUID.fromString(idOf(first));
        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(id.getMostSignificantBits() >>> 16).isCloseTo(System.currentTimeMillis(), within(60_000L));
        assertThat(idOf(second)).isNotEqualTo(idOf(first));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"message-id", "Message-ID", "ce_id", "CE_ID", "ce-id", "cloudEvents:id", "cloudEvents_id", "ID"})
    void idThatIsThereStaysWhateverItsHeaderAndCase(String name) {
        ProducerRecord<Object, Object> outgoing = outgoing();
        outgoing.headers().add(name, "mine".getBytes(UTF_8));

        assertThat(headers(interceptor.onSend(outgoing))).containsExactly(name + "=mine");
    }

    @Test
    void headerWithoutValueIsNotReplacedEither() {
        ProducerRecord<Object, Object> outgoing = outgoing();
        outgoing.headers().add("message-id", null);

        assertThat(interceptor.onSend(outgoing).headers()).hasSize(1);
    }

    @Test
    void everyHeaderThatConsumersReadByDefaultIsKnown() {
        List<String> read = new Binder(new MapConfigurationPropertySource())
                .bindOrCreate("inbox", InboxProperties.class)
                .messageId()
                .headers();
        assertThat(read).isNotEmpty().allSatisfy(this::idThatIsThereStaysWhateverItsHeaderAndCase);
    }

    @Test
    void furtherHeadersAreConfiguredAsTheConsumersAre() {
        interceptor.configure(Map.of(MessageIdInterceptor.HEADERS_CONFIG, "x-event , event-id"));
        idThatIsThereStaysWhateverItsHeaderAndCase("X-Event");
        idThatIsThereStaysWhateverItsHeaderAndCase("event-id");
        idThatIsThereStaysWhateverItsHeaderAndCase("ce_id");
        interceptor.configure(Map.of(MessageIdInterceptor.HEADERS_CONFIG, List.of("y")));
        idThatIsThereStaysWhateverItsHeaderAndCase("Y");

        assertThatThrownBy(() -> interceptor.configure(Map.of(MessageIdInterceptor.HEADERS_CONFIG, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("as a list or separated by commas");
    }

    @Test
    void sameRecordSentAgainKeepsItsId() {
        ProducerRecord<Object, Object> outgoing = outgoing();
        String first = idOf(interceptor.onSend(outgoing));
        ((RecordHeaders) outgoing.headers()).setReadOnly();

        assertThat(idOf(interceptor.onSend(outgoing))).isEqualTo(first);
    }

    @Test
    void recordThatIsReadOnlyIsSentAsACopyWithAnId() {
        ProducerRecord<Object, Object> outgoing = outgoing();
        outgoing.headers().add("trace", "t".getBytes(UTF_8));
        ((RecordHeaders) outgoing.headers()).setReadOnly();

        ProducerRecord<Object, Object> sent = interceptor.onSend(outgoing);

        assertThat(headers(sent)).hasSize(2).contains("trace=t");
        assertThat(sent.topic()).isEqualTo("orders");
        assertThat(sent.partition()).isEqualTo(3);
        assertThat(sent.timestamp()).isEqualTo(42);
        assertThat(sent.key()).isEqualTo("key");
        assertThat(sent.value()).isEqualTo("value");
    }

    private static ProducerRecord<Object, Object> outgoing() {
        return new ProducerRecord<>("orders", 3, 42L, "key", "value");
    }

    private static String idOf(ProducerRecord<?, ?> outgoing) {
        List<Header> ids = new ArrayList<>();
        outgoing.headers().headers("message-id").forEach(ids::add);
        assertThat(ids).hasSize(1);
        return new String(ids.get(0).value(), UTF_8);
    }

    private static List<String> headers(ProducerRecord<?, ?> outgoing) {
        List<String> all = new ArrayList<>();
        outgoing.headers().forEach(header -> all.add(header.key() + "=" + new String(header.value(), UTF_8)));
        return all;
    }
}
