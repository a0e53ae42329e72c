package io.inboxkit.kafka.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.inboxkit.EntryState;
import io.inboxkit.Inbox;
import io.inboxkit.InboxEntry;
import io.inboxkit.kafka.faults.PaymentsApplication.AfterBooking;
import io.inboxkit.testkit.KafkaRecords;
import io.inboxkit.testkit.KafkaTopics;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.util.backoff.FixedBackOff;

/** Handlers that return normally, or nearly, though their booking cannot or must not be committed. */
class FailedDeliveryIT {

    private final Payments payments = new Payments(1);
    private final AtomicBoolean broken = new AtomicBoolean(true);
    private final AtomicInteger calls = new AtomicInteger();

    enum Failure {
        SWALLOWED_SQL_ERROR,
        NESTED_ROLLBACK_ONLY,
        CHECKED_EXCEPTION,
        CONSTRAINT_AT_COMMIT
    }

    @AfterEach
    void close() {
        payments.close();
    }

    @ParameterizedTest
    @EnumSource
    void paymentIsBookedOnceByTheRetryAfterItsCauseIsGone(Failure failure) {
        payments.send(0, "p0", "p1");
        AtomicInteger committedMeanwhile = new AtomicInteger();
        AfterBooking recovering = payment -> {
            if (payment.equals("p0") && calls.get() == 5) {
                committedMeanwhile.addAndGet(
                        (int) payments.committed(0) + payments.effects().size());
                broken.set(false);
            }
        };

        try (var application = start(failure, recovering, Ledger.class, Refusing.class)) {
            payments.awaitEachBookedOnce();

            assertThat(calls).hasValue(6);
            assertThat(committedMeanwhile).hasValue(0);
            assertThat(payments.effects()).containsExactly("p0", "p1");
        }
    }

    @ParameterizedTest
    @EnumSource
    void deadPaymentIsNotBookedUntilItsDeadLetterIsSentAgain(Failure failure) {
        payments.send(0, "p0", "p1");
        KafkaTopics.create(deadLetters(), 1);

        try (var application = start(failure, payment -> {}, Ledger.class, Refusing.class, DeadLetters.class)) {
            KafkaTopics.awaitNoLag(payments.group(), payments.topic());
            assertThat(calls).hasValue(3);
            assertThat(payments.effects()).containsExactly("p1");
            assertThat(application.getBean(Inbox.class).find(payments.group() + ":" + payments.topic(), "p0"))
                    .map(InboxEntry::state)
                    .hasValue(EntryState.OPEN);
            assertThat(KafkaRecords.all(deadLetters()))
                    .extracting(KafkaRecords::text)
                    .containsExactly("p0");

            broken.set(false);
            KafkaRecords.copy(KafkaRecords.all(deadLetters()), payments.topic());
            KafkaRecords.copy(KafkaRecords.all(deadLetters()), payments.topic());
            payments.awaitEachBookedOnce();
        }
    }

    private String deadLetters() {
        return payments.topic() + "-dlt";
    }

    private ConfigurableApplicationContext start(Failure failure, AfterBooking before, Class<?>... sources) {
        payments.database()
                .jdbc()
                .execute("create table account (name text primary key);"
                        + " create table entry (account text references account deferrable initially deferred)");
        return payments.start(
                Map.of(),
                context -> context.registerBean(AfterBooking.class, () -> payment -> {
                    if (payment.equals("p0")) {
                        calls.incrementAndGet();
                        if (broken.get()) {
                            before.accept(payment);
                            context.getBean(Ledger.class).fail(failure);
                        }
                    }
                }),
                sources);
    }

    @Configuration(proxyBeanMethods = false)
    static class DeadLetters {

        @Bean
        DefaultErrorHandler errorHandler(KafkaTemplate<Object, Object> kafka) {
            return new DefaultErrorHandler(new DeadLetterPublishingRecoverer(kafka), new FixedBackOff(0, 2));
        }
    }

    /** The ways to fail. */
    static class Ledger {

        private final JdbcClient jdbc;
        private final Refusing refusing;

        Ledger(JdbcClient jdbc, Refusing refusing) {
            this.jdbc = jdbc;
            this.refusing = refusing;
        }

        void fail(Failure failure) throws IOException {
            switch (failure) {
                case SWALLOWED_SQL_ERROR -> swallowSqlError();
                case NESTED_ROLLBACK_ONLY -> swallowRefusal();
                case CHECKED_EXCEPTION -> throw new IOException("The printer of receipts is out of paper");
                case CONSTRAINT_AT_COMMIT ->
                    jdbc.sql("insert into entry values ('nobody')").update();
            }
        }

        private void swallowSqlError() {
            try {
                jdbc.sql("insert into no_such_table values (1)").update();
            } catch (DataAccessException e) {
                // The mistake that is tested.
            }
        }

        private void swallowRefusal() {
            try {
                refusing.refuse();
            } catch (IllegalStateException e) {
                // The mistake that is tested.
            }
        }
    }

    static class Refusing {

        @Transactional
        public void refuse() {
            throw new IllegalStateException("The account is closed");
        }
    }
}
