package io.inboxkit.outbox;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message as it is kept and leaves, byte for byte.
 *
 * @param id the id, sent with every copy
 * @param destination where it goes
 * @param key the key, or {@code null} for none
 * @param type the type, or {@code null} for none
 * @param contentType the media type of the payload, or {@code null} if it is not known
 * @param headers the headers in their order
 * @param payload the payload, or {@code null} for a tombstone
 */
@SuppressWarnings("ArrayRecordComponent")
public record StoredMessage(
        String id,
        Destination destination,
        byte @Nullable [] key,
        @Nullable String type,
        @Nullable String contentType,
        List<OutboxHeader> headers,
        byte @Nullable [] payload) {

    /** About how many bytes it takes on the wire and in memory. */
    public int size() {
        int size = 100 + id.length() + (key == null ? 0 : key.length) + (payload == null ? 0 : payload.length);
        for (OutboxHeader header : headers) {
            size += header.size();
        }
        return size;
    }

    /** Destination and type; the rest may be confidential. */
    @Override
    public String toString() {
        return "message to " + destination + (type == null ? "" : " of type " + type);
    }
}
