package io.inboxkit.kafka.faults;

import io.inboxkit.IdempotentConsumer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.annotation.KafkaListener;

/** Books payments, as an application of a user would. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(PaymentsApplication.Listener.class)
class PaymentsApplication {

    /** What a test lets a handler do or suffer once it has booked. */
    @FunctionalInterface
    interface AfterBooking {
        void accept(String payment) throws Exception;
    }

    static class Listener {

        private final JdbcClient jdbc;
        private final AfterBooking afterBooking;

        Listener(JdbcClient jdbc, ObjectProvider<AfterBooking> afterBooking) {
            this.jdbc = jdbc;
            this.afterBooking = afterBooking.getIfAvailable(() -> payment -> {});
        }

        @KafkaListener(id = "billing", idIsGroup = false, topics = "${topic}", groupId = "${group}")
        @IdempotentConsumer
        void on(String payment) throws Exception {
            jdbc.sql("insert into effect (payment) values (?)").param(payment).update();
            afterBooking.accept(payment);
        }
    }
}
