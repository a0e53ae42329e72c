package io.inboxkit.testkit.contract;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An application with one idempotent listener for single messages whose body is text, and the broker in front of it. The
 * listener hands each body to {@link EffectHandler#handle}; the container tries a failed message again at once, at least
 * twice, and then puts it among the dead letters.
 */
public interface ListenerUnderTest extends AutoCloseable {

    /** Sends a message and returns when the broker has it. A null id is no id. Called by many threads. */
    void send(@Nullable String id, String body);

    /** Has the listener receive the last message of the queue or topic once more, as after a lost acknowledgement. */
    void redeliverLast();

    /** Returns when everything sent is settled: nothing unread, nothing unacknowledged. */
    void awaitSettled();

    /** The bodies of all dead letters. */
    List<String> deadLetters();

    /** Stops the application. */
    @Override
    void close();
}
