package io.inboxkit.rabbitmq;

import io.inboxkit.ConsumerSettings;
import io.inboxkit.Inbox;
import io.inboxkit.InboxUnavailableException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The names of the consumers that a handler is: the one that it declares, else one for each queue. Thread-safe. */
final class ConsumerNames {

    private final Set<String> registered = ConcurrentHashMap.newKeySet();
    private final @Nullable String declared;
    private final List<String> queues;

    /**
     * @param declared the name that the annotation gives, or {@code null}
     * @param queues the queues of the listener, as far as they are known at its start
     */
    ConsumerNames(@Nullable String declared, List<String> queues) {
        this.declared = declared;
        this.queues = List.copyOf(queues);
    }

    /** The name of the consumer that a message from that queue is for. */
    String of(String queue) {
        return declared != null ? declared : queue;
    }

    /** The names that are known before the first message. */
    List<String> known() {
        return declared != null ? List.of(declared) : queues;
    }

    /** Makes a consumer known to the inbox before its first message, so that its ids have its own retention. */
    void register(String consumer, Inbox inbox, ConsumerSettings settings) {
        if (registered.contains(consumer)) {
            return;
        }
        try {
            inbox.register(consumer, settings);
        } catch (RuntimeException e) {
            throw new InboxUnavailableException(
                    "The consumer '" + consumer
                            + "' could not be registered in the inbox. Its message was not handed to the"
                            + " handler and must be delivered again; look at the cause, and at the database",
                    e);
        }
        registered.add(consumer);
    }

    /** How the start-up line names the consumer. */
    @Override
    public String toString() {
        List<String> known = known();
        return known.isEmpty() ? "'<queue>'" : "'" + String.join("', '", known) + "'";
    }
}
