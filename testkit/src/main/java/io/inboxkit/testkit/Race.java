package io.inboxkit.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks in threads that are released at one moment, within a limit of time. Its seed is logged; the setting
 * {@code INBOX_TEST_SEED} repeats one.
 */
public final class Race {

    private static final Logger LOG = LoggerFactory.getLogger(Race.class);

    private final Duration limit;
    private final Random random;

    /** How one task ended: by its value, or by what it threw. */
    public record Finish<T>(@Nullable T value, @Nullable Throwable thrown) {}

    /** A race that is over, or fails, after {@code limit}. */
    public Race(Duration limit) {
        String given = ServiceSource.setting("INBOX_TEST_SEED");
        long seed = given != null ? Long.parseLong(given) : System.nanoTime();
        LOG.info("Race with INBOX_TEST_SEED={}", seed);
        this.limit = limit;
        this.random = new Random(seed);
    }

    /** For choices of the test; drawn from by one thread only, or the seed does not repeat them. */
    public Random random() {
        return random;
    }

    /**
     * Runs {@code count} tasks, made from their index beforehand, at once.
     *
     * @return how they ended, in the order of their index
     * @throws AssertionError if one has not ended within the limit; all are interrupted then
     */
    public <T> List<Finish<T>> run(int count, IntFunction<Callable<T>> tasks) {
        CyclicBarrier start = new CyclicBarrier(count);
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            List<Future<T>> running = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Callable<T> task = tasks.apply(i);
                running.add(threads.submit(() -> {
                    start.await();
                    return task.call();
                }));
            }
            long deadline = System.nanoTime() + limit.toNanos();
            List<Finish<T>> finishes = new ArrayList<>();
            for (Future<T> task : running) {
                finishes.add(finish(task, deadline));
            }
            return finishes;
        } finally {
            threads.shutdownNow();
        }
    }

    private <T> Finish<T> finish(Future<T> task, long deadline) {
        try {
            return new Finish<>(task.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS), null);
        } catch (ExecutionException e) {
            return new Finish<>(null, e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("A task of the race has not ended within " + limit, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("The race was interrupted", e);
        }
    }
}
