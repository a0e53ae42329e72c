package io.inboxkit.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Queues of a broker, by the protocol alone. Every method uses a connection of its own and waits for its result.
 * Thread-safe.
 */
public final class RabbitQueues {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final RabbitAddress address;

    private RabbitQueues(RabbitAddress address) {
        this.address = address;
    }

    /** The queues of the {@link RabbitService}. */
    public static RabbitQueues shared() {
        return of(RabbitService.address());
    }

    public static RabbitQueues of(RabbitAddress address) {
        return new RabbitQueues(address);
    }

    /** A name that no other test uses. */
    public static String uniqueName(String prefix) {
        return prefix + "-" + UUID.randomUUID().toString().substring(0, 8);
    }

    /** Declares a durable queue of a unique name, without a dead-letter exchange. */
    public String declareUnique(String prefix) {
        String queue = uniqueName(prefix);
        declare(queue, Map.of());
        return queue;
    }

    /** Declares a durable queue of a unique name whose dead letters go to {@link #deadLettersOf}. */
    public String declareWithDeadLetters(String prefix) {
        String queue = uniqueName(prefix);
        declareWithDeadLetters(queue, Map.of());
        return queue;
    }

    /** Declares a durable queue whose dead letters go to {@link #deadLettersOf}, with further arguments. */
    public void declareWithDeadLetters(String queue, Map<String, Object> arguments) {
        String dead = deadLettersOf(queue);
        declare(dead, Map.of());
        bind(dead, dead, "fanout");
        Map<String, Object> all = new HashMap<>(arguments);
        all.put("x-dead-letter-exchange", dead);
        // The same for the broker that is not RabbitMQ.
        all.put("alternateExchange", dead);
        declare(queue, all);
    }

    /** The queue of the dead letters of another one. */
    public static String deadLettersOf(String queue) {
        return queue + ".dlq";
    }

    /** Declares a durable queue. */
    public void declare(String queue, Map<String, Object> arguments) {
        Map<String, Object> all = new HashMap<>(arguments);
        // Else the broker that is not RabbitMQ would requeue what is rejected without requeue.
        all.put("x-qpid-maximum-delivery-count", 1);
        run(channel -> channel.queueDeclare(queue, true, false, false, all));
    }

    public void delete(String queue) {
        run(channel -> channel.queueDelete(queue));
    }

    /** Binds a queue to an exchange of this type, which is declared. */
    public void bind(String queue, String exchange, String type) {
        run(channel -> {
            channel.exchangeDeclare(exchange, type, true);
            return channel.queueBind(queue, exchange, queue);
        });
    }

    /** Sends a persistent text to a queue, with this message id, or none. */
    public void send(String queue, @Nullable String id, String body) {
        send("", queue, new BasicProperties.Builder().messageId(id), body);
    }

    /** Sends a persistent text to an exchange, and returns when the broker has taken it over. */
    public void send(String exchange, String routingKey, BasicProperties.Builder properties, String body) {
        run(channel -> {
            channel.confirmSelect();
            BasicProperties sent =
                    properties.deliveryMode(2).contentType("text/plain").build();
            channel.basicPublish(exchange, routingKey, sent, body.getBytes(UTF_8));
            channel.waitForConfirmsOrDie(LIMIT.toMillis());
            return sent;
        });
    }

    /** How many messages are ready: delivered to nobody. The broker that is not RabbitMQ counts what is unacknowledged, too. */
    public int ready(String queue) {
        return run(channel -> channel.queueDeclarePassive(queue).getMessageCount());
    }

    /** Waits until no message is ready. */
    public void awaitEmpty(String queue) {
        await("messages ready in " + queue).atMost(LIMIT).until(() -> ready(queue) == 0);
    }

    /** Takes out everything that is ready. */
    public List<GetResponse> drain(String queue) {
        return run(channel -> {
            List<GetResponse> all = new ArrayList<>();
            for (GetResponse next = channel.basicGet(queue, true); next != null; next = channel.basicGet(queue, true)) {
                all.add(next);
            }
            return all;
        });
    }

    /** The bodies of what is ready, which stays. */
    public List<String> bodies(String queue) {
        return run(channel -> {
            List<String> all = new ArrayList<>();
            for (GetResponse next = channel.basicGet(queue, false);
                    next != null;
                    next = channel.basicGet(queue, false)) {
                all.add(new String(next.getBody(), UTF_8));
            }
            channel.basicRecover(true);
            return all;
        });
    }

    private <T> T run(Work<T> work) {
        try (Connection connection = address.connectionFactory().newConnection("test");
                Channel channel = connection.createChannel()) {
            return work.run(channel);
        } catch (IOException | TimeoutException | ShutdownSignalException e) {
            throw new IllegalStateException("The broker at " + address + " refused", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for the broker at " + address, e);
        }
    }

    @FunctionalInterface
    private interface Work<T> {
        T run(Channel channel) throws IOException, TimeoutException, InterruptedException;
    }
}
