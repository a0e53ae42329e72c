package io.inboxkit.testkit;

import com.rabbitmq.client.ConnectionFactory;
import java.util.Map;

/** Where an AMQP broker listens, and who may come in. */
public record RabbitAddress(String host, int port, String user, String password, String virtualHost) {

    /** The address of a broker of this machine that lets {@code guest} in. */
    static RabbitAddress local(int port) {
        return new RabbitAddress("127.0.0.1", port, "guest", "guest", "/");
    }

    /** The same broker through a proxy. */
    public RabbitAddress through(TcpProxy proxy) {
        return new RabbitAddress("127.0.0.1", proxy.port(), user, password, virtualHost);
    }

    /** {@code spring.rabbitmq.*} of this address. */
    public Map<String, String> springProperties() {
        return Map.of(
                "spring.rabbitmq.host", host,
                "spring.rabbitmq.port", Integer.toString(port),
                "spring.rabbitmq.username", user,
                "spring.rabbitmq.password", password,
                "spring.rabbitmq.virtual-host", virtualHost);
    }

    ConnectionFactory connectionFactory() {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(host);
        factory.setPort(port);
        factory.setUsername(user);
        factory.setPassword(password);
        factory.setVirtualHost(virtualHost);
        factory.setAutomaticRecoveryEnabled(false);
        return factory;
    }

    /** Without the password. */
    @Override
    public String toString() {
        return host + ":" + port + " (virtual host " + virtualHost + ")";
    }
}
