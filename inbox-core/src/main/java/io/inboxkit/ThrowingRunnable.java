package io.inboxkit;

/** Work that may throw anything. */
@FunctionalInterface
public interface ThrowingRunnable {

    void run() throws Throwable;
}
