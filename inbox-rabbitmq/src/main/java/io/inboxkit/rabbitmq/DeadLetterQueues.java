package io.inboxkit.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Whether what is rejected from a queue goes anywhere. The queues that the application declares say so themselves. Of others
 * the broker tells only what differs from a declaration, so they are declared differently, which changes nothing. What a policy
 * sets it does not tell. Thread-safe.
 */
final class DeadLetterQueues {

    private static final String EXCHANGE = "x-dead-letter-exchange";
    /** Arguments that are compared before the one in question, at most. */
    private static final int ATTEMPTS = 12;

    private static final Pattern DIFFERENCE = Pattern.compile("inequivalent arg '([^']+)' for queue '.*' in vhost '.*':"
            + " received .* but current is (?:none|(?:the value )?'([^']*)'(?: of type '(\\w+)')?)");

    private final Map<String, Boolean> known = new ConcurrentHashMap<>();
    private final ListableBeanFactory beans;
    private final ConnectionFactory connections;

    DeadLetterQueues(ListableBeanFactory beans, ConnectionFactory connections) {
        this.beans = beans;
        this.connections = connections;
    }

    /** Whether it is known that what is rejected from the queue goes to an exchange. */
    boolean takes(String queue) {
        Boolean answer = known.get(queue);
        if (answer == null) {
            answer = isDeclared(queue) ? Boolean.TRUE : ask(queue);
            if (answer != null) {
                known.put(queue, answer);
            }
        }
        return Boolean.TRUE.equals(answer);
    }

    private boolean isDeclared(String queue) {
        return beans.getBeansOfType(Queue.class, false, false).values().stream().anyMatch(bean -> says(bean, queue))
                || beans.getBeansOfType(Declarables.class, false, false).values().stream()
                        .flatMap(all -> all.getDeclarablesByType(Queue.class).stream())
                        .anyMatch(bean -> says(bean, queue));
    }

    private static boolean says(Queue bean, String queue) {
        return bean.getName().equals(queue) && bean.getArguments().containsKey(EXCHANGE);
    }

    /** {@code null} if the broker does not answer, or in a way that only it understands. */
    private @Nullable Boolean ask(String queue) {
        boolean durable = true;
        boolean autoDelete = false;
        Map<String, Object> arguments = new HashMap<>();
        // No name of an exchange: the answer shows the difference.
        arguments.put(EXCHANGE, "inbox-" + UUID.randomUUID());
        try (Connection shared = connections.createConnection()) {
            com.rabbitmq.client.Connection connection = shared.getDelegate();
            if (connection == null) {
                return null;
            }
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                Matcher difference = DIFFERENCE.matcher(declare(connection, queue, durable, autoDelete, arguments));
                if (!difference.find()) {
                    return null;
                }
                String argument = difference.group(1);
                String current = difference.group(2);
                switch (argument) {
                    case EXCHANGE -> {
                        return current != null;
                    }
                    case "durable" -> durable = Boolean.parseBoolean(current);
                    case "auto_delete" -> autoDelete = Boolean.parseBoolean(current);
                    default -> {
                        if (current == null) {
                            return null;
                        }
                        arguments.put(argument, typed(current, difference.group(3)));
                    }
                }
            }
            return null;
        } catch (AmqpException | IOException | ShutdownSignalException e) {
            return null;
        }
    }

    private static Object typed(String value, @Nullable String type) {
        if (type == null || "longstr".equals(type)) {
            return value;
        }
        return "bool".equals(type) ? Boolean.valueOf(value) : (Object) Long.valueOf(value);
    }

    /** What the broker says against the declaration; empty if nothing. */
    private static String declare(
            com.rabbitmq.client.Connection connection,
            String queue,
            boolean durable,
            boolean autoDelete,
            Map<String, Object> arguments)
            throws IOException {
        // Not a channel of Spring's, which would log the broker's answer as an error.
        Channel channel = connection.createChannel();
        try {
            // Or the next would create it.
            channel.queueDeclarePassive(queue);
            try {
                channel.queueDeclare(queue, durable, false, autoDelete, arguments);
                return "";
            } catch (IOException e) {
                return e.getCause() instanceof ShutdownSignalException
                        ? String.valueOf(e.getCause().getMessage())
                        : "";
            }
        } finally {
            // By its answer the broker has closed it.
            channel.abort();
        }
    }
}
