package io.inboxkit.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.qpid.server.SystemLauncher;

/** Apache Qpid Broker-J in this JVM, in memory: an AMQP 0-9-1 broker for machines without RabbitMQ. */
final class QpidBroker implements AutoCloseable {

    /** Arguments of RabbitMQ's queues are ignored: a test that depends on one needs RabbitMQ. */
    private static final String CONFIGURATION =
            """
            {
              "name": "inboxkit-test",
              "modelVersion": "9.0",
              "context": {"queue.behaviourOnUnknownDeclareArgument": "IGNORE"},
              "authenticationproviders": [{
                "name": "plain",
                "type": "Plain",
                "secureOnlyMechanisms": [],
                "users": [{"name": "guest", "type": "managed", "password": "guest"}]
              }],
              "ports": [{
                "name": "AMQP",
                "port": "%d",
                "bindingAddress": "127.0.0.1",
                "authenticationProvider": "plain",
                "protocols": ["AMQP_0_9_1"],
                "virtualhostaliases": [{"name": "defaultAlias", "type": "defaultAlias"}]
              }],
              "virtualhostnodes": [{
                "name": "default",
                "type": "Memory",
                "defaultVirtualHostNode": "true",
                "virtualHostInitialConfiguration": "{\\"type\\": \\"Memory\\"}"
              }]
            }
            """;

    private final SystemLauncher launcher = new SystemLauncher();
    private final int port;

    private QpidBroker(int port) {
        this.port = port;
    }

    static QpidBroker start() throws Exception {
        QpidBroker broker = new QpidBroker(freePort());
        Path configuration = Files.createTempFile("inboxkit-qpid", ".json");
        Files.writeString(configuration, CONFIGURATION.formatted(broker.port), UTF_8);
        broker.launcher.startup(Map.of(
                "type", "Memory",
                "initialConfigurationLocation", configuration.toString(),
                "startupLoggedToSystemOut", "false"));
        Files.delete(configuration);
        return broker;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    RabbitAddress address() {
        return RabbitAddress.local(port);
    }

    @Override
    public void close() {
        launcher.shutdown();
    }
}
