package io.inboxkit.testkit;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/**
 * Whether something listens where a Docker engine would. Testcontainers itself is not asked: it takes minutes to find
 * out that there is none. A socket file alone proves nothing, since it outlives its engine.
 */
final class DockerProbe {

    private static final int TIMEOUT_MILLIS = 1000;

    private DockerProbe() {}

    static boolean engineAnswers() {
        String host = ServiceSource.setting("DOCKER_HOST", "unix:///var/run/docker.sock");
        try {
            URI address = URI.create(host);
            return "unix".equals(address.getScheme()) ? unix(address.getPath()) : tcp(address);
        } catch (IOException | IllegalArgumentException | UnsupportedOperationException e) {
            return false;
        }
    }

    private static boolean unix(String path) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(Path.of(path)))) {
            return channel.isConnected();
        }
    }

    private static boolean tcp(URI address) throws IOException {
        try (Socket socket = new Socket()) {
            int port = address.getPort() > 0 ? address.getPort() : 2375;
            socket.connect(new InetSocketAddress(address.getHost(), port), TIMEOUT_MILLIS);
            return true;
        }
    }
}
