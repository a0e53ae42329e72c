package io.inboxkit.rabbitmq;

import com.rabbitmq.client.LongString;
import io.inboxkit.InvalidMessageIdException;
import io.inboxkit.RawHeader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.MessageProperties;

/** The headers of a message as they were sent, in the types of AMQP; long strings as their bytes. */
final class RawHeaders {

    /** What a decoder puts in the place of bytes that are no UTF-8. */
    private static final char REPLACEMENT = '\uFFFD';

    private RawHeaders() {}

    /**
     * All headers.
     *
     * @param ids the names of those that may carry the id
     * @throws InvalidMessageIdException if one of those has lost bytes on its way
     */
    static List<RawHeader> of(MessageProperties properties, Collection<String> ids) {
        List<RawHeader> all = new ArrayList<>();
        properties.getHeaders().forEach((name, value) -> {
            if (ids.stream().anyMatch(name::equalsIgnoreCase)) {
                intact(value, "header '" + name + "'");
            }
            all.add(new RawHeader(name, value instanceof LongString text ? text.getBytes() : value));
        });
        return all;
    }

    /** The headers by name; what is UTF-8 as text. */
    static Map<String, @Nullable Object> byName(MessageProperties properties) {
        Map<String, @Nullable Object> byName = new LinkedHashMap<>();
        of(properties, List.of()).forEach(header -> byName.put(header.name(), textOr(header.value())));
        return byName;
    }

    /**
     * The value, unless bytes of it were replaced when the client read it as text: different ids would then be the same.
     */
    static @Nullable Object intact(@Nullable Object value, String origin) {
        if (value instanceof String text && text.indexOf(REPLACEMENT) >= 0) {
            throw new InvalidMessageIdException("The " + origin
                    + " has bytes that are no UTF-8 text, so the id of the message cannot be told from others. Let the"
                    + " producer send it as text, or as a byte array");
        }
        return value;
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
