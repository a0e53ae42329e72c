package io.inboxkit;

import org.jspecify.annotations.Nullable;

/** What an expression can see of a message. Called on the thread that evaluates the expression, once per reference. */
@FunctionalInterface
public interface MessageVariables {

    /**
     * A value of the message.
     *
     * @param name the name of the variable, without its {@code #}; always one of those the expression was parsed with
     * @return {@code null} if the message has no such value
     */
    @Nullable
    Object get(String name);
}
