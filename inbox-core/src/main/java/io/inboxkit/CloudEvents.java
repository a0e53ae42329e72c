package io.inboxkit;

import java.io.ByteArrayOutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Names of CloudEvents attributes in the headers of a message: the Kafka, AMQP (both separators) and HTTP protocol bindings of
 * CloudEvents 1.0. "Producers MUST ensure that source + id is unique for each distinct event" (CloudEvents 1.0.2, section
 * 3.1.1).
 */
final class CloudEvents {

    private static final List<String> PREFIXES = List.of("ce_", "cloudEvents:", "cloudEvents_", "ce-");
    private static final String ID = "id";
    private static final String SOURCE = "source";

    private CloudEvents() {}

    /** The header of the source that belongs to that of an id, or {@code null} if it is no CloudEvents id. */
    static @Nullable String source(String idName) {
        for (String prefix : PREFIXES) {
            if (idName.equalsIgnoreCase(prefix + ID)) {
                return idName.substring(0, prefix.length()) + SOURCE;
            }
        }
        return null;
    }

    /** {@code <source> <id>}; unambiguous, because a source is a URI reference, which has no space. */
    static byte[] identity(byte[] source, byte[] id) {
        ByteArrayOutputStream identity = new ByteArrayOutputStream(source.length + 1 + id.length);
        identity.writeBytes(source);
        identity.write(' ');
        identity.writeBytes(id);
        return identity.toByteArray();
    }
}
