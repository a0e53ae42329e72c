package io.inboxkit.outbox.jdbc;

import io.inboxkit.outbox.OutboxHeader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The headers of a message in one column: for each the length of its name, the name in UTF-8, the length of its value (-1 for
 * none) and the value; lengths are four bytes, the highest first.
 */
final class HeaderBytes {

    private static final int LENGTH = 4;

    private HeaderBytes() {}

    /** The bytes, or {@code null} for no headers. */
    static byte @Nullable [] write(List<OutboxHeader> headers) {
        if (headers.isEmpty()) {
            return null;
        }
        List<byte[]> names = new ArrayList<>(headers.size());
        int size = 0;
        for (OutboxHeader header : headers) {
            byte[] name = header.name().getBytes(StandardCharsets.UTF_8);
            byte[] value = header.value();
            names.add(name);
            size += 2 * LENGTH + name.length + (value == null ? 0 : value.length);
        }
        ByteBuffer bytes = ByteBuffer.allocate(size);
        for (int i = 0; i < headers.size(); i++) {
            byte[] value = headers.get(i).value();
            bytes.putInt(names.get(i).length).put(names.get(i));
            if (value == null) {
                bytes.putInt(-1);
            } else {
                bytes.putInt(value.length).put(value);
            }
        }
        return bytes.array();
    }

    /** The headers of what {@link #write} gave. */
    static List<OutboxHeader> read(byte @Nullable [] column) {
        if (column == null) {
            return List.of();
        }
        List<OutboxHeader> headers = new ArrayList<>();
        ByteBuffer bytes = ByteBuffer.wrap(column);
        while (bytes.hasRemaining()) {
            byte[] name = new byte[bytes.getInt()];
            bytes.get(name);
            int length = bytes.getInt();
            byte[] value = null;
            if (length >= 0) {
                value = new byte[length];
                bytes.get(value);
            }
            headers.add(new OutboxHeader(new String(name, StandardCharsets.UTF_8), value));
        }
        return headers;
    }
}
