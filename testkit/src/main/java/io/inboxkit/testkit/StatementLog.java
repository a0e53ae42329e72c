package io.inboxkit.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** What went through a {@link FaultyDataSource}. Thread-safe. */
public final class StatementLog {

    private final List<String> statements = new CopyOnWriteArrayList<>();
    private final AtomicInteger commits = new AtomicInteger();
    private final AtomicInteger rollbacks = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger maxOpen = new AtomicInteger();

    StatementLog() {}

    /** The SQL of every statement whose execution was asked for, in order, since the last {@link #reset()}. */
    public List<String> statements() {
        return List.copyOf(statements);
    }

    /** Calls of {@code commit()} that returned normally to the caller, since the last {@link #reset()}. */
    public int commits() {
        return commits.get();
    }

    /** Calls of {@code rollback()}, since the last {@link #reset()}. */
    public int rollbacks() {
        return rollbacks.get();
    }

    /** Connections that are open now. */
    public int open() {
        return open.get();
    }

    /** The most connections that were open at once, since the last {@link #reset()}. */
    public int maxOpen() {
        return maxOpen.get();
    }

    /** Forgets everything but the connections that are open. */
    public void reset() {
        statements.clear();
        commits.set(0);
        rollbacks.set(0);
        maxOpen.set(open.get());
    }

    int statement(String sql) {
        statements.add(sql);
        return statements.size();
    }

    void committed() {
        commits.incrementAndGet();
    }

    void rolledBack() {
        rollbacks.incrementAndGet();
    }

    void opened() {
        maxOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
    }

    void closed() {
        open.decrementAndGet();
    }
}
