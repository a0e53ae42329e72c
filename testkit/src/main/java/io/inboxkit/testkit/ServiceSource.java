package io.inboxkit.testkit;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Where services come from when no address of one is given. */
enum ServiceSource {
    TESTCONTAINERS,
    EMBEDDED;

    private static final Path DOCKER_SOCKET = Path.of("/var/run/docker.sock");

    /**
     * What {@code INBOX_TEST_SERVICES} says; else containers where a Docker engine listens. Testcontainers itself is not
     * asked: it takes minutes to find out that there is no engine.
     */
    static ServiceSource find() {
        String wanted = setting("INBOX_TEST_SERVICES");
        if (wanted != null) {
            return valueOf(wanted.toUpperCase(Locale.ROOT));
        }
        return System.getenv("DOCKER_HOST") != null || dockerListens() ? TESTCONTAINERS : EMBEDDED;
    }

    /** The file of the socket outlives an engine that was killed, so only a connection tells. */
    private static boolean dockerListens() {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.connect(UnixDomainSocketAddress.of(DOCKER_SOCKET));
        } catch (IOException e) {
            return false;
        }
    }

    /** A setting by system property or, of the same name, environment variable. */
    static @Nullable String setting(String name) {
        String property = System.getProperty(name);
        return property != null ? property : System.getenv(name);
    }

    static String setting(String name, String otherwise) {
        String value = setting(name);
        return value != null ? value : otherwise;
    }
}
