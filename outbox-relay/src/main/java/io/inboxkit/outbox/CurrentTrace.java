package io.inboxkit.outbox;

import java.util.List;

/** The headers by which the trace of the writer goes on at the consumer. Thread-safe. */
@FunctionalInterface
public interface CurrentTrace {

    /** No trace. */
    CurrentTrace NONE = List::of;

    /** The headers of the trace that the calling thread is in; empty if it is in none. */
    List<OutboxHeader> headers();
}
