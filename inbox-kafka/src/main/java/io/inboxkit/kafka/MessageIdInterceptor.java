package io.inboxkit.kafka;

import io.inboxkit.MessageId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives records that are sent without an id a new one, a UUID of version 7 in the header {@code message-id}. Where any header is
 * that an inbox reads ids from, whatever its case and its value, nothing is added and nothing is replaced.
 *
 * <p>To be named in the producer's property {@code interceptor.classes}. The producer's property {@value #HEADERS_CONFIG} names further
 * headers that carry ids, as a list or separated by commas.
 *
 * <p>The id is made per call of {@code send}: the retries inside of the producer keep it, and so does sending the same
 * {@code ProducerRecord} again; sending the message anew, as another record, is another message to everybody. An id that
 * is made where the business decides is better. Never fails a send: a record that cannot be given an id is sent without one, with a
 * WARN. Thread-safe.
 */
public final class MessageIdInterceptor implements ProducerInterceptor<Object, Object> {

    /** Names further headers that carry ids; to be set as {@code inbox.message-id.headers} of the consumers is. */
    public static final String HEADERS_CONFIG = "inbox.message-id.headers";

    private static final Logger LOG = LoggerFactory.getLogger(MessageIdInterceptor.class);

    private static final String HEADER = "message-id";

    /** Where consumers look by default, and the HTTP form of CloudEvents. */
    private static final List<String> KNOWN =
            List.of(HEADER, "ce_id", "cloudEvents:id", "cloudEvents_id", "ce-id", "id");

    private volatile List<String> names = KNOWN;

    /** For the producer, which makes its interceptors itself. */
    public MessageIdInterceptor() {}

    /**
     * @throws IllegalArgumentException if {@value #HEADERS_CONFIG} is neither a text nor a list
     */
    @Override
    public void configure(Map<String, ?> configs) {
        List<String> all = new ArrayList<>(KNOWN);
        all.addAll(further(configs.get(HEADERS_CONFIG)));
        names = List.copyOf(all);
    }

    private static List<String> further(@Nullable Object configured) {
        if (configured == null) {
            return List.of();
        }
        if (configured instanceof Collection<?> list) {
            return list.stream().map(String::valueOf).toList();
        }
        if (configured instanceof CharSequence text) {
            return Arrays.stream(text.toString().split(","))
                    .map(String::strip)
                    .filter(name -> !name.isEmpty())
                    .toList();
        }
        throw new IllegalArgumentException("The producer property " + HEADERS_CONFIG + " is a "
                + configured.getClass().getName() + ". Give it the names of headers, as a list or separated by commas");
    }

    @Override
    public ProducerRecord<Object, Object> onSend(ProducerRecord<Object, Object> outgoing) {
        try {
            return hasId(outgoing.headers()) ? outgoing : withId(outgoing);
        } catch (RuntimeException e) {
            LOG.warn(
                    "A record for topic '{}' is sent without a message id, since none could be added",
                    outgoing.topic(),
                    e);
            return outgoing;
        }
    }

    private boolean hasId(Headers headers) {
        for (Header header : headers) {
            if (names.stream().anyMatch(header.key()::equalsIgnoreCase)) {
                return true;
            }
        }
        return false;
    }

    private static ProducerRecord<Object, Object> withId(ProducerRecord<Object, Object> outgoing) {
        byte[] id = MessageId.next().value().getBytes(StandardCharsets.UTF_8);
        try {
            // Into the record itself, so that the application finds the id there, and sends it again with the record.
            outgoing.headers().add(HEADER, id);
            return outgoing;
        } catch (IllegalStateException e) {
            // It was sent before, by a producer without this interceptor, which makes its headers read-only.
            Headers headers = new RecordHeaders(outgoing.headers());
            headers.add(HEADER, id);
            return new ProducerRecord<>(
                    outgoing.topic(),
                    outgoing.partition(),
                    outgoing.timestamp(),
                    outgoing.key(),
                    outgoing.value(),
                    headers);
        }
    }

    @Override
    public void onAcknowledgement(@Nullable RecordMetadata metadata, @Nullable Exception failure) {
        // An id is the same whether it has arrived or not.
    }

    @Override
    public void close() {
        // Holds nothing.
    }
}
