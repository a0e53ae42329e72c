package io.inboxkit.outbox.kafka;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;

/**
 * The topics that are known to be there. Whoever sends to another one is called back when it was looked up: a producer blocks for
 * the first message to a topic, and may have the broker make a topic whose name is a slip of the pen. Thread-safe.
 */
final class KnownTopics {

    private final Supplier<Admin> admin;
    private final Consumer<String> prepare;
    private final Executor executor;
    private final boolean mayBeCreated;
    private final ConcurrentMap<String, CompletableFuture<Void>> topics = new ConcurrentHashMap<>();

    /**
     * @param prepare has the producer learn of a topic; may block
     * @param executor runs what may block
     * @param mayBeCreated whether the broker may make topics as they are used
     */
    KnownTopics(Supplier<Admin> admin, Consumer<String> prepare, Executor executor, boolean mayBeCreated) {
        this.admin = admin;
        this.prepare = prepare;
        this.executor = executor;
        this.mayBeCreated = mayBeCreated;
    }

    /** Completed when the topic is known; with an exception if it is not there or the broker does not answer. */
    CompletableFuture<Void> find(String topic) {
        CompletableFuture<Void> known = topics.get(topic);
        return known != null ? known : topics.computeIfAbsent(topic, this::lookUp);
    }

    void forget(String topic) {
        topics.remove(topic);
    }

    /** All of it by other threads, so that the entry is there before it is removed. */
    private CompletableFuture<Void> lookUp(String topic) {
        CompletableFuture<Void> started = CompletableFuture.runAsync(() -> {}, executor);
        return started.thenCompose(nothing -> exists(topic))
                .thenRunAsync(() -> prepare.accept(topic), executor)
                .whenComplete((nothing, failure) -> {
                    if (failure != null) {
                        topics.remove(topic);
                    }
                });
    }

    private CompletableFuture<Void> exists(String topic) {
        if (mayBeCreated) {
            return CompletableFuture.completedFuture(null);
        }
        return admin.get()
                .describeTopics(List.of(topic))
                .allTopicNames()
                .toCompletionStage()
                .toCompletableFuture()
                .thenApply(found -> null);
    }
}
