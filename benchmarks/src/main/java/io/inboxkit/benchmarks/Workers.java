package io.inboxkit.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
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

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final int threads;
    private final int duplicatePercent;
    private final ExecutorService executor;
    private final Map<String, List<Deliveries>> sources = new HashMap<>();

    Workers(int threads, int duplicatePercent) {
        this.threads = threads;
        this.duplicatePercent = duplicatePercent;
        this.executor = Executors.newFixedThreadPool(threads);
    }

    /**
     * What one variant got done in one slice of time.
     *
     * @param messages the number of deliveries
     * @param nanos how long it took
     * @param cpuNanos what the threads computed meanwhile, the server not included
     */
    record Slice(long messages, long nanos, long cpuNanos) {

        Slice and(Slice other) {
            return new Slice(messages + other.messages, nanos + other.nanos, cpuNanos + other.cpuNanos);
        }
    }

    /** Runs one variant on all threads for about this time. */
    Slice run(Variant variant, Duration time) throws InterruptedException {
        List<Callable<Slice>> tasks = new ArrayList<>();
        long start = System.nanoTime();
        for (Deliveries deliveries : sources.computeIfAbsent(variant.name(), this::deliveries)) {
            tasks.add(() -> deliver(variant, deliveries, start + time.toNanos()));
        }
        Slice sum = new Slice(0, 0, 0);
        for (Future<Slice> task : executor.invokeAll(tasks)) {
            try {
                sum = sum.and(task.get());
            } catch (ExecutionException e) {
                throw new IllegalStateException("The variant '" + variant.name() + "' failed", e.getCause());
            }
        }
        return new Slice(sum.messages(), System.nanoTime() - start, sum.cpuNanos());
    }

    private static Slice deliver(Variant variant, Deliveries deliveries, long end) {
        long cpu = THREADS.getCurrentThreadCpuTime();
        long messages = 0;
        while (System.nanoTime() - end < 0) {
            variant.deliver(deliveries.next());
            messages++;
        }
        return new Slice(messages, 0, THREADS.getCurrentThreadCpuTime() - cpu);
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
