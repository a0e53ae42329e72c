package io.inboxkit.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RabbitServiceIT {

    private final RabbitQueues queues = RabbitQueues.shared();

    @Test
    void messagesAreReadAsTheyWereSent() {
        String queue = queues.declareUnique("kit");
        queues.send("", queue, new BasicProperties.Builder().messageId("m1").headers(Map.of("trace", "t1")), "one");

        assertThat(queues.ready(queue)).isOne();
        assertThat(queues.drain(queue)).singleElement().satisfies(message -> {
            assertThat(message.getProps().getMessageId()).isEqualTo("m1");
            assertThat(message.getProps().getHeaders().get("trace")).hasToString("t1");
            assertThat(message.getBody()).asString().isEqualTo("one");
        });
    }

    @Test
    void refusedMessagesGoToTheDeadLetters() throws Exception {
        String queue = queues.declareWithDeadLetters("kit");
        queues.send(queue, "m1", "one");
        try (Connection connection = RabbitService.address().connectionFactory().newConnection("test");
                Channel channel = connection.createChannel()) {
            GetResponse response = channel.basicGet(queue, false);
            channel.basicReject(response.getEnvelope().getDeliveryTag(), false);
        }

        await().untilAsserted(() ->
                assertThat(queues.bodies(RabbitQueues.deadLettersOf(queue))).containsExactly("one"));
        assertThat(queues.ready(queue)).isZero();
    }

    @Test
    @NeedsRabbitMq(node = true)
    void aNodeKeepsWhatItHasStoredWhenItIsKilled() {
        try (RabbitNode node = RabbitNode.started("consumer_timeout = 60000")) {
            RabbitQueues own = RabbitQueues.of(node.address());
            String queue = own.declareUnique("kit");
            own.send(queue, "m1", "one");

            node.kill();
            node.start();
            assertThat(own.bodies(queue)).containsExactly("one");
            node.stop();
            node.start();
            assertThat(own.bodies(queue)).containsExactly("one");
            assertThat(node.ctl("eval", "application:get_env(rabbit, consumer_timeout)."))
                    .contains("60000");
        }
    }
}
