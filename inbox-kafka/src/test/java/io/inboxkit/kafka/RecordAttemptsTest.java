package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

class RecordAttemptsTest {

    private final Counting container = new Counting();
    private final Handler handler = new Handler();
    private final TransactionTemplate transaction = new TransactionTemplate(new NoDatabase());
    private final RecordAttempts attempts = new RecordAttempts(delivery());

    @Test
    void acknowledgementWaitsForTheInboxToReturn() {
        transaction.executeWithoutResult(status -> run());
        assertThat(container.acknowledged).hasValue(0);

        attempts.returned();
        assertThat(container.acknowledged).hasValue(1);
    }

    @Test
    void acknowledgementWaitsForTheCommitOfAnOuterTransaction() {
        transaction.executeWithoutResult(status -> {
            run();
            attempts.returned();
            assertThat(container.acknowledged).hasValue(0);
        });
        assertThat(container.acknowledged).hasValue(1);
    }

    @Test
    void nothingIsAcknowledgedAfterTheRollbackOfAnOuterTransaction() {
        transaction.executeWithoutResult(status -> {
            run();
            attempts.returned();
            status.setRollbackOnly();
        });
        handler.acknowledgment.acknowledge();
        assertThat(container.acknowledged).hasValue(0);
    }

    @Test
    void acknowledgementAfterTheCommitIsPassedOnOnce() {
        handler.acknowledges = false;
        transaction.executeWithoutResult(status -> run());
        attempts.returned();
        assertThat(container.acknowledged).hasValue(0);

        handler.acknowledgment.acknowledge();
        handler.acknowledgment.acknowledge();
        assertThat(container.acknowledged).hasValue(1);
    }

    @Test
    void acknowledgementOfAnAttemptThatWasRolledBackIsDropped() {
        transaction.executeWithoutResult(status -> {
            run();
            status.setRollbackOnly();
        });
        Acknowledgment first = handler.acknowledgment;
        handler.acknowledges = false;
        transaction.executeWithoutResult(status -> run());
        attempts.returned();
        first.acknowledge();

        assertThat(container.acknowledged).hasValue(0);
    }

    @Test
    void nackIsARollback() {
        handler.nack = Duration.ofSeconds(1);
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> run()))
                .isInstanceOfSatisfying(NackRequest.class, nack -> {
                    assertThat(nack.sleep()).isEqualTo(Duration.ofSeconds(1));
                    assertThat(nack.acknowledgment()).isSameAs(container);
                });
    }

    private void run() {
        try {
            attempts.run();
        } catch (RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private RecordDelivery delivery() {
        Method method;
        try {
            method = Handler.class.getDeclaredMethod("on", Acknowledgment.class);
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
        Object[] provided = {new ConsumerRecord<>("payments", 0, 42, "key", "value"), container};
        return new RecordDelivery(new InvocableHandlerMethod(handler, method), new GenericMessage<>("value"), provided);
    }

    static final class Handler {

        private boolean acknowledges = true;
        private Duration nack = Duration.ZERO;
        private Acknowledgment acknowledgment = new Counting();

        void on(Acknowledgment given) {
            acknowledgment = given;
            if (!nack.isZero()) {
                given.nack(nack);
            } else if (acknowledges) {
                given.acknowledge();
            }
        }
    }

    private static final class Counting implements Acknowledgment {

        private final AtomicInteger acknowledged = new AtomicInteger();

        @Override
        public void acknowledge() {
            acknowledged.incrementAndGet();
        }
    }

    /** Begins and ends transactions of nothing; what matters is the order of its callbacks. */
    private static final class NoDatabase extends AbstractPlatformTransactionManager {

        private static final long serialVersionUID = 1L;

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected void doBegin(Object begun, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }
}
