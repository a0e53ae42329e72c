package io.inboxkit.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy in front of PostgreSQL that counts how often clients wait for the server, whatever driver, pool or wrapper is
 * above: what the client sends in one piece and ends with a {@code Sync} or simple {@code Query} message is one round trip.
 * Opening a connection is not counted. A piece of more than 64 kB may be counted twice.
 *
 * @see <a href="https://www.postgresql.org/docs/current/protocol-message-formats.html">Message formats</a>
 */
public final class RoundTrips extends TcpProxy {

    private final AtomicInteger count;
    private final List<String> statements;

    /** Listens on a free port; connect with {@code sslmode=disable}, as {@link TestDatabase#url(TcpProxy)} does. */
    public RoundTrips(String host, int port) {
        this(host, port, new AtomicInteger(), new CopyOnWriteArrayList<>());
    }

    private RoundTrips(String host, int port, AtomicInteger count, List<String> statements) {
        super(host, port, () -> new FrontendMessages(count::incrementAndGet, statements::add));
        this.count = count;
        this.statements = statements;
    }

    /** Round trips of all connections since the last {@link #reset()}. */
    public int count() {
        return count.get();
    }

    /** The statements that the server was told to execute since the last {@link #reset()}, in order. */
    public List<String> statements() {
        return List.copyOf(statements);
    }

    /** Forgets what was counted. */
    public void reset() {
        count.set(0);
        statements.clear();
    }
}
