package io.inboxkit.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The threads of one comparison: each processes deliveries one after the other, as the threads of a container do. */
final class Workers implements AutoCloseable {

    private final int threads;
    private final int duplicatePercent;
    private final ExecutorService executor;
    private final Map<String, List<Deliveries>> sources = new HashMap<>();

    Workers(int threads, int duplicatePercent) {
        this.threads = threads;
        this.duplicatePercent = duplicatePercent;
        this.executor = Executors.newFixedThreadPool(threads);
    }

    /** What one variant got done in one slice of time. */
    record Slice(long messages, long nanos) {}

    /** Runs one variant on all threads for about this time. */
    Slice run(Variant variant, Duration time) throws InterruptedException {
        List<Callable<Long>> tasks = new ArrayList<>();
        long start = System.nanoTime();
        long length = time.toNanos();
        for (Deliveries deliveries : sources.computeIfAbsent(variant.name(), this::deliveries)) {
            tasks.add(() -> {
                long messages = 0;
                while (System.nanoTime() - start < length) {
                    variant.deliver(deliveries.next());
                    messages++;
                }
                return messages;
            });
        }
        long messages = 0;
        for (Future<Long> task : executor.invokeAll(tasks)) {
            try {
                messages += task.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("The variant '" + variant.name() + "' failed", e.getCause());
            }
        }
        return new Slice(messages, System.nanoTime() - start);
    }

    private List<Deliveries> deliveries(String variant) {
        List<Deliveries> list = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            list.add(new Deliveries(variant.hashCode() * 31L + thread, thread, duplicatePercent));
        }
        return list;
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
