package io.inboxkit.kafka.faults;

import io.inboxkit.IdempotentConsumer;
import io.inboxkit.Tracking;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.annotation.KafkaListener;

/** Books payments, as an application of a user would. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({PaymentsApplication.ById.class, PaymentsApplication.ByPosition.class})
class PaymentsApplication {

    /** What a test lets a handler do or suffer once it has booked. */
    @FunctionalInterface
    interface AfterBooking {
        void accept(String payment) throws Exception;
    }

    /** How its messages are known, by the property {@code track}. */
    abstract static class Listener {

        private final JdbcClient jdbc;
        private final AfterBooking afterBooking;

        Listener(JdbcClient jdbc, ObjectProvider<AfterBooking> afterBooking) {
            this.jdbc = jdbc;
            this.afterBooking = afterBooking.getIfAvailable(() -> payment -> {});
        }

        void book(String payment) throws Exception {
            jdbc.sql("insert into effect (payment) values (?)").param(payment).update();
            afterBooking.accept(payment);
        }
    }

    @ConditionalOnProperty(name = "track", havingValue = "MESSAGE_ID", matchIfMissing = true)
    static class ById extends Listener {

        ById(JdbcClient jdbc, ObjectProvider<AfterBooking> afterBooking) {
            super(jdbc, afterBooking);
        }

        @KafkaListener(id = "billing", idIsGroup = false, topics = "${topic}", groupId = "${group}")
        @IdempotentConsumer
        void on(String payment) throws Exception {
            book(payment);
        }
    }

    @ConditionalOnProperty(name = "track", havingValue = "POSITION")
    static class ByPosition extends Listener {

        ByPosition(JdbcClient jdbc, ObjectProvider<AfterBooking> afterBooking) {
            super(jdbc, afterBooking);
        }

        @KafkaListener(id = "billing", idIsGroup = false, topics = "${topic}", groupId = "${group}")
        @IdempotentConsumer(track = Tracking.POSITION)
        void on(String payment) throws Exception {
            book(payment);
        }
    }
}
