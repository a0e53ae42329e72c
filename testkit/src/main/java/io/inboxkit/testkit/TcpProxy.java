package io.inboxkit.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stands in front of a server on a port of its own and fails the ways a network does. Made for PostgreSQL: a broker
 * tells its clients its own address, past the proxy. Thread-safe.
 */
public class TcpProxy implements AutoCloseable {

    /** Sees the bytes of one connection on their way to the server, before the server does. */
    interface Tap {
        void accept(byte[] bytes, int length);
    }

    private final InetSocketAddress target;
    private final Supplier<Tap> taps;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Object gate = new Object();
    private final int port;
    private @Nullable ServerSocket listener;
    private boolean frozen;

    /** Listens on a free port. */
    public TcpProxy(String host, int port) {
        this(host, port, () -> (bytes, length) -> {});
    }

    TcpProxy(String host, int port, Supplier<Tap> taps) {
        this.target = new InetSocketAddress(host, port);
        this.taps = taps;
        this.port = listen(0);
    }

    /** The port that this proxy listens on, the same after a {@link #restore()}. */
    public final int port() {
        return port;
    }

    /** As when the server goes down: ends every connection, also in the middle of an answer, and refuses new ones. */
    public final void cut() {
        synchronized (gate) {
            closeQuietly(listener);
            listener = null;
        }
        sockets.forEach(TcpProxy::closeQuietly);
        sockets.clear();
    }

    /** As when the network hangs: connections stay open and new ones are accepted, but no byte gets through. */
    public final void freeze() {
        synchronized (gate) {
            frozen = true;
        }
    }

    /** Ends a {@link #cut()} or {@link #freeze()}; what was held back while frozen is delivered. */
    public final void restore() {
        synchronized (gate) {
            frozen = false;
            gate.notifyAll();
            if (listener == null) {
                listen(port);
            }
        }
    }

    @Override
    public final void close() {
        cut();
        synchronized (gate) {
            frozen = false;
            gate.notifyAll();
        }
    }

    private int listen(int wanted) {
        try {
            ServerSocket server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted));
            listener = server;
            start("accept", () -> accept(server));
            return server.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("The proxy for " + target + " cannot listen", e);
        }
    }

    private void accept(ServerSocket server) throws IOException {
        while (true) {
            Socket client = server.accept();
            start("connect", () -> connect(client, server));
        }
    }

    private void connect(Socket client, ServerSocket acceptedBy) throws IOException {
        Socket upstream = new Socket();
        sockets.add(client);
        sockets.add(upstream);
        try {
            awaitThaw();
            upstream.connect(target);
            // Without it the two halves of a statement wait for each other's acknowledgement.
            client.setTcpNoDelay(true);
            upstream.setTcpNoDelay(true);
            start("to-server", () -> pump(client, upstream, taps.get()));
            start("to-client", () -> pump(upstream, client, (bytes, length) -> {}));
        } catch (IOException | InterruptedException e) {
            closeBoth(client, upstream);
        }
        if (acceptedBy.isClosed()) {
            // Cut in the meantime, perhaps before these two were known.
            closeBoth(client, upstream);
        }
    }

    private void pump(Socket from, Socket to, Tap tap) throws IOException, InterruptedException {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[64 * 1024];
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                awaitThaw();
                tap.accept(buffer, length);
                out.write(buffer, 0, length);
            }
        } finally {
            closeBoth(from, to);
        }
    }

    private void awaitThaw() throws InterruptedException {
        synchronized (gate) {
            while (frozen) {
                gate.wait();
            }
        }
    }

    private void closeBoth(Socket one, Socket other) {
        closeQuietly(one);
        closeQuietly(other);
        sockets.remove(one);
        sockets.remove(other);
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private void start(String what, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // The normal end of a connection that one side or a cut has closed.
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "tcp-proxy-" + what);
        thread.setDaemon(true);
        thread.start();
    }

    private static void closeQuietly(@Nullable AutoCloseable closeable) {
        try {
            if (closeable != null) {
                closeable.close();
            }
        } catch (Exception e) {
            // It is gone, which is what was wanted.
        }
    }
}
