package io.inboxkit.kafka;

import io.inboxkit.RawHeader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.json.JsonParserFactory;

/**
 * The headers of a record as they are on the wire. The one exception: Spring's header mapper can write a text or a UUID as
 * JSON and says so in a header of its own; such a value is read as what was set.
 */
final class RawHeaders {

    /** The name is a constant of a class that needs Jackson, which a consumer need not have. */
    private static final String TYPES = "spring_json_header_types";

    private RawHeaders() {}

    /** All headers in their order; a value is a byte array, a text or {@code null}. */
    static List<RawHeader> of(Headers headers) {
        Map<String, Object> types = types(headers.lastHeader(TYPES));
        List<RawHeader> all = new ArrayList<>();
        for (Header header : headers) {
            if (!header.key().equals(TYPES)) {
                all.add(new RawHeader(header.key(), value(header.value(), types.get(header.key()))));
            }
        }
        return all;
    }

    /** The headers by name, the last one of each; what is UTF-8 as text. */
    static Map<String, @Nullable Object> byName(Headers headers) {
        Map<String, @Nullable Object> byName = new LinkedHashMap<>();
        of(headers).forEach(header -> byName.put(header.name(), textOr(header.value())));
        return byName;
    }

    private static @Nullable Object value(byte @Nullable [] value, @Nullable Object type) {
        boolean json = value != null && value.length > 0 && value[0] == '"';
        if (json && (String.class.getName().equals(type) || UUID.class.getName().equals(type))) {
            try {
                String text = new String(value, StandardCharsets.UTF_8);
                return JsonParserFactory.getJsonParser()
                        .parseList("[" + text + "]")
                        .get(0);
            } catch (RuntimeException e) {
                // Anybody can write the type header: then the value is what it is.
                return value;
            }
        }
        return value;
    }

    private static Map<String, Object> types(@Nullable Header header) {
        if (header == null || header.value() == null) {
            return Map.of();
        }
        try {
            return JsonParserFactory.getJsonParser().parseMap(new String(header.value(), StandardCharsets.UTF_8));
        } catch (RuntimeException e) {
            return Map.of();
        }
    }

    private static @Nullable Object textOr(@Nullable Object value) {
        if (!(value instanceof byte[] bytes)) {
            return value;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return bytes;
        }
    }
}
