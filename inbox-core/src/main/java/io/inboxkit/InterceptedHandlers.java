package io.inboxkit;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The handlers that the inbox surrounds, of all brokers. Thread-safe. */
public final class InterceptedHandlers {

    private final Set<List<Object>> seen = ConcurrentHashMap.newKeySet();

    /** An adapter has put the inbox around a handler. */
    public void add(HandlerDeclaration handler) {
        seen.add(key(handler));
    }

    boolean contains(HandlerDeclaration handler) {
        return seen.contains(key(handler));
    }

    private static List<Object> key(HandlerDeclaration handler) {
        return List.of(handler.type(), handler.method());
    }
}
