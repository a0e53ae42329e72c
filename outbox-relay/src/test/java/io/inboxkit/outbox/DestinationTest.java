package io.inboxkit.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DestinationTest {

    @Test
    void topicOfKafkaIsTheName() {
        assertThat(Destination.parse("kafka:orders.v1")).isEqualTo(new Destination("kafka", "orders.v1"));
    }

    @ParameterizedTest
    @CsvSource({
        "rabbitmq:orders/placed, orders, placed",
        "rabbitmq:orders/placed/eu, orders, placed/eu",
        "rabbitmq:/queue, '', queue",
        "rabbitmq:fanout, fanout, ''"
    })
    void exchangeEndsAtTheFirstSlash(String address, String exchange, String routingKey) {
        Destination destination = Destination.parse(address);

        assertThat(destination.exchange()).isEqualTo(exchange);
        assertThat(destination.routingKey()).isEqualTo(routingKey);
        assertThat(destination).hasToString(address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "orders",
                "jms:orders",
                "Kafka:orders",
                "",
                ":orders",
                "kafka:",
                "kafka:a b",
                "kafka:..",
                "kafka:ä",
                "rabbitmq:",
                "rabbitmq:a\0b/c"
            })
    void whatNoBrokerHasIsRefused(String address) {
        assertThatExceptionOfType(InvalidOutboxMessageException.class).isThrownBy(() -> Destination.parse(address));
    }

    @Test
    void namesLongerThanTheBrokerCarriesAreRefused() {
        assertThatExceptionOfType(InvalidOutboxMessageException.class)
                .isThrownBy(() -> Destination.parse("rabbitmq:orders/" + "ä".repeat(128)))
                .withMessageContaining("routing key")
                .withMessageContaining("256 bytes")
                .withMessageContaining("255");
        assertThatExceptionOfType(InvalidOutboxMessageException.class)
                .isThrownBy(() -> Destination.parse("rabbitmq:" + "x".repeat(256) + "/placed"))
                .withMessageContaining("exchange");
        assertThatExceptionOfType(InvalidOutboxMessageException.class)
                .isThrownBy(() -> Destination.parse("kafka:" + "x".repeat(250)))
                .withMessageContaining("249");
    }
}
