package io.inboxkit;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/**
 * Which consumers of this process are alive: only such time counts towards the retention of their ids. A consumer that nobody
 * watches, such as one without a listener, is alive as long as the process that uses it. Thread-safe.
 */
public final class LiveConsumers {

    private final Map<String, List<BooleanSupplier>> watches = new ConcurrentHashMap<>();

    /**
     * Watches a consumer; one that is watched more than once is alive if any of the watches says so.
     *
     * @param consumer the name of the consumer
     * @param alive tells whether messages can reach it at the moment; called about once a minute
     */
    public void watch(String consumer, BooleanSupplier alive) {
        watches.computeIfAbsent(consumer, name -> new CopyOnWriteArrayList<>()).add(alive);
    }

    /** Whether a consumer that this process uses is alive. */
    public boolean isAlive(String consumer) {
        List<BooleanSupplier> of = watches.get(consumer);
        return of == null || of.stream().anyMatch(BooleanSupplier::getAsBoolean);
    }
}
