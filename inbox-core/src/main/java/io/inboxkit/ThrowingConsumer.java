package io.inboxkit;

/**
 * Work on a value that may throw anything.
 *
 * @param <T> the type of the value
 */
@FunctionalInterface
public interface ThrowingConsumer<T> {

    void accept(T value) throws Throwable;
}
