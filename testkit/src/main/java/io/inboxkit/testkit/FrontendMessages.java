package io.inboxkit.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Reads what one client sends to PostgreSQL: first messages without a type (encryption requests, start-up), then messages
 * of a type, a length and a body.
 */
final class FrontendMessages implements TcpProxy.Tap {

    private static final int PROTOCOL_3 = 3;

    private final Runnable onRoundTrip;
    private final Consumer<String> onStatement;
    private final Map<String, String> prepared = new HashMap<>();
    private final Map<String, String> portals = new HashMap<>();
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private boolean started;
    private boolean wantsAnswer;

    FrontendMessages(Runnable onRoundTrip, Consumer<String> onStatement) {
        this.onRoundTrip = onRoundTrip;
        this.onStatement = onStatement;
    }

    @Override
    public void accept(byte[] bytes, int length) {
        pending.write(bytes, 0, length);
        byte[] received = pending.toByteArray();
        ByteBuffer buffer = ByteBuffer.wrap(received);
        while (hasMessage(buffer)) {
            if (started) {
                typed(buffer);
            } else {
                startup(buffer);
            }
        }
        if (wantsAnswer) {
            // Once for all that came in one piece: the driver sends BEGIN with the first statement and waits for both.
            onRoundTrip.run();
            wantsAnswer = false;
        }
        pending.reset();
        pending.write(received, buffer.position(), buffer.remaining());
    }

    private boolean hasMessage(ByteBuffer buffer) {
        int type = started ? 1 : 0;
        return buffer.remaining() >= type + Integer.BYTES
                && buffer.remaining() >= type + buffer.getInt(buffer.position() + type);
    }

    private void startup(ByteBuffer buffer) {
        int end = buffer.position() + buffer.getInt(buffer.position());
        // The upper half is the protocol's major version; requests for encryption or cancelling have a made-up one.
        started = buffer.getShort(buffer.position() + Integer.BYTES) == PROTOCOL_3;
        buffer.position(end);
    }

    private void typed(ByteBuffer buffer) {
        byte type = buffer.get();
        int end = buffer.position() + buffer.getInt(buffer.position());
        buffer.position(buffer.position() + Integer.BYTES);
        switch (type) {
            case 'Q' -> {
                onStatement.accept(text(buffer));
                wantsAnswer = true;
            }
            case 'S' -> wantsAnswer = true;
            case 'P' -> prepared.put(text(buffer), text(buffer));
            case 'B' -> portals.put(text(buffer), prepared.getOrDefault(text(buffer), ""));
            case 'E' -> onStatement.accept(portals.getOrDefault(text(buffer), ""));
            default -> {
                // Describing, closing, copying and passwords are no statements.
            }
        }
        buffer.position(end);
    }

    private static String text(ByteBuffer buffer) {
        int start = buffer.position();
        while (buffer.get() != 0) {
            // To the end of the text.
        }
        byte[] bytes = new byte[buffer.position() - 1 - start];
        buffer.get(start, bytes);
        return new String(bytes, UTF_8);
    }
}
