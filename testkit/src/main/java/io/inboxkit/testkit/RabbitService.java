package io.inboxkit.testkit;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.rabbitmq.RabbitMQContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * The AMQP broker of the tests: started when it is first asked for, once per JVM, and stopped with the JVM.
 *
 * <p>In this order: the address in {@code INBOX_TEST_RABBITMQ_URI} ({@code amqp://user:password@host:port/virtualhost}), a
 * container of {@code INBOX_TEST_RABBITMQ_IMAGE} (default {@code rabbitmq:4}), a private {@link RabbitNode} where
 * {@code rabbitmq-server} is installed, else an AMQP broker in this JVM, which is not RabbitMQ: tests that need what only
 * RabbitMQ has say so by {@link NeedsRabbitMq}. What a test does with the broker is in {@link RabbitQueues}.
 */
public final class RabbitService {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitService.class);

    private RabbitService() {}

    public static RabbitAddress address() {
        return Holder.BROKER.address;
    }

    /** Whether the broker is RabbitMQ; otherwise it is one that merely speaks its protocol. */
    public static boolean isRabbitMq() {
        return Holder.BROKER.rabbitMq;
    }

    private static Broker find() {
        String given = ServiceSource.setting("INBOX_TEST_RABBITMQ_URI");
        if (given != null) {
            return log("an address from the environment", new Broker(parse(given), true));
        }
        return ServiceSource.start("rabbitmq", () -> switch (ServiceSource.find()) {
            case TESTCONTAINERS -> log("Testcontainers", new Broker(container(), true));
            case EMBEDDED ->
                RabbitNode.isInstalled()
                        ? log("a private node of the installed rabbitmq-server", new Broker(node(), true))
                        : log(
                                "Apache Qpid in this JVM, for rabbitmq-server is not installed",
                                new Broker(qpid(), false));
        });
    }

    private static Broker log(String source, Broker broker) {
        LOG.info("RabbitMQ for tests: {}, {}", source, broker.address);
        return broker;
    }

    private static RabbitAddress parse(String uri) {
        URI address = URI.create(uri);
        if (address.getHost() == null) {
            throw new IllegalStateException(
                    "INBOX_TEST_RABBITMQ_URI names no host: use amqp://user:password@host:port/virtualhost");
        }
        String user = address.getUserInfo() == null ? "guest:guest" : address.getUserInfo();
        String path = address.getRawPath();
        int colon = user.indexOf(':');
        return new RabbitAddress(
                address.getHost(),
                address.getPort() < 0 ? 5672 : address.getPort(),
                colon < 0 ? user : user.substring(0, colon),
                colon < 0 ? "" : user.substring(colon + 1),
                path == null || path.isEmpty() ? "/" : URLDecoder.decode(path.substring(1), StandardCharsets.UTF_8));
    }

    private static RabbitAddress container() {
        String image = ServiceSource.setting("INBOX_TEST_RABBITMQ_IMAGE", "rabbitmq:4");
        RabbitMQContainer container =
                new RabbitMQContainer(DockerImageName.parse(image).asCompatibleSubstituteFor("rabbitmq"));
        container.start();
        ServiceSource.atExit("rabbitmq", container::stop);
        return new RabbitAddress(
                container.getHost(),
                container.getAmqpPort(),
                container.getAdminUsername(),
                container.getAdminPassword(),
                "/");
    }

    private static RabbitAddress node() {
        RabbitNode node = RabbitNode.started();
        ServiceSource.atExit("rabbitmq", node::close);
        return node.address();
    }

    private static RabbitAddress qpid() throws Exception {
        QpidBroker broker = QpidBroker.start();
        ServiceSource.atExit("rabbitmq", broker::close);
        return broker.address();
    }

    private record Broker(RabbitAddress address, boolean rabbitMq) {}

    private static final class Holder {
        static final Broker BROKER = find();
    }
}
