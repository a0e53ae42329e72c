package io.inboxkit.demo.billing;

import io.inboxkit.IdempotentConsumer;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Books one payment per order. There is no check for duplicates here: that is the affair of the inbox. */
@Component
class PaymentListener {

    private final JdbcClient jdbc;

    PaymentListener(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @KafkaListener(id = "payments", topics = "orders", groupId = "billing")
    @IdempotentConsumer
    @Transactional
    void on(OrderPlaced order) {
        jdbc.sql("insert into payment (order_id, amount) values (:orderId, :amount)")
                .paramSource(order)
                .update();
    }
}
