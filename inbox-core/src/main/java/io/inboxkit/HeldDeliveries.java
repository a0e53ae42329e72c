package io.inboxkit;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The deliveries that are held at the moment: not processed, not acknowledged, tried again until they can go on. One of
 * them turns health DOWN. Thread-safe.
 */
public final class HeldDeliveries {

    private final Map<String, HeldDelivery> held = new ConcurrentHashMap<>();

    /**
     * Notes that a delivery is held.
     *
     * @param listener the listener that holds it
     * @param position where it stands, such as {@code payments-0@42}; also tells it from other deliveries
     * @param cause why it cannot go on
     * @return whether it is held for the first time, so that it deserves a line in the log
     */
    public boolean hold(String listener, String position, InboxException cause) {
        HeldDelivery delivery = new HeldDelivery(listener, position, cause, Instant.now());
        return held.putIfAbsent(key(listener, position), delivery) == null;
    }

    /** Notes that a delivery went on; nothing happens if it was not held. */
    public boolean release(String listener, String position) {
        return !held.isEmpty() && held.remove(key(listener, position)) != null;
    }

    /** The deliveries that are held, the oldest first. */
    public List<HeldDelivery> list() {
        return held.values().stream()
                .sorted(Comparator.comparing(HeldDelivery::since))
                .toList();
    }

    private static String key(String listener, String position) {
        return listener + '\n' + position;
    }

    /**
     * A delivery that is held.
     *
     * @param listener the listener that holds it
     * @param position where it stands
     * @param cause why it cannot go on
     * @param since since when, by the clock of this process
     */
    public record HeldDelivery(String listener, String position, InboxException cause, Instant since) {}
}
