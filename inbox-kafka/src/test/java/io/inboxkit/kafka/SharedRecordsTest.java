package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.inboxkit.HeldDeliveries;
import io.inboxkit.InboxUnavailableException;
import io.inboxkit.MessageInProgressException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.support.ShareAcknowledgment;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

class SharedRecordsTest {

    private final HeldDeliveries deliveries = new HeldDeliveries();
    private final ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
    private final List<String> tried = new ArrayList<>();
    private final List<String> said = new ArrayList<>();
    private Supplier<@Nullable Object> verdict = () -> "reply";

    @BeforeEach
    void startScheduler() {
        scheduler.initialize();
    }

    @AfterEach
    void stopScheduler() {
        scheduler.shutdown();
    }

    @Test
    void unavailableDatabaseIsAskedForOneRecordASecondAndAllLocksAreRenewed() {
        SharedRecords records = records(Duration.ofMinutes(1));
        verdict = () -> {
            throw new InboxUnavailableException("away", null);
        };
        for (int round = 0; round < 2; round++) {
            assertThat(records.handle(delivery(1))).isNull();
            assertThat(records.handle(delivery(2))).isNull();
        }
        assertThat(tried).containsExactly("t-0@1", "t-0@1");
        assertThat(said).hasSize(4).containsOnly("renew");
        assertThat(deliveries.list()).hasSize(1);

        verdict = () -> "reply";
        assertThat(records.handle(delivery(1))).isEqualTo("reply");
        assertThat(deliveries.list()).isEmpty();
    }

    @Test
    void messageInProgressHoldsUpNoOther() {
        SharedRecords records = records(Duration.ofMinutes(1));
        verdict = () -> {
            throw new MessageInProgressException("claimed", new IllegalStateException());
        };
        records.handle(delivery(1));
        verdict = () -> "reply";

        assertThat(records.handle(delivery(2))).isEqualTo("reply");
        assertThat(said).containsExactly("renew");
        assertThat(deliveries.list()).hasSize(1);
    }

    @Test
    void failureGoesOnAndTheRecordIsNoLongerHeld() {
        SharedRecords records = records(Duration.ofMinutes(1));
        verdict = () -> {
            throw new MessageInProgressException("claimed", new IllegalStateException());
        };
        records.handle(delivery(1));
        verdict = () -> {
            throw new IllegalStateException("of the handler");
        };

        assertThatThrownBy(() -> records.handle(delivery(1))).hasMessage("of the handler");
        assertThat(deliveries.list()).isEmpty();
    }

    @Test
    void heldRecordThatAnotherConsumerHasGotIsForgotten() {
        SharedRecords records = records(Duration.ofMillis(50));
        verdict = () -> {
            throw new MessageInProgressException("claimed", new IllegalStateException());
        };
        records.handle(delivery(1));
        assertThat(deliveries.list()).hasSize(1);

        await().untilAsserted(() -> assertThat(deliveries.list()).isEmpty());
    }

    @Test
    void rejectionOfAnAttemptThatWasRolledBackIsForgotten() {
        SharedAcknowledgment shared = new SharedAcknowledgment(new Saying());
        shared.over(shared).reject();
        shared.over(shared).acknowledge();

        assertThat(said).containsExactly("reject", "accept");
    }

    private SharedRecords records(Duration silence) {
        DeliveryHandling inbox = delivery -> {
            tried.add(delivery.position());
            return verdict.get();
        };
        return new SharedRecords("billing", inbox, deliveries, true, scheduler, silence);
    }

    private RecordDelivery delivery(long offset) {
        try {
            var handler = new InvocableHandlerMethod(this, Object.class.getMethod("toString"));
            Object[] provided = {new ConsumerRecord<>("t", 0, offset, "key", "value"), new Saying()};
            return new RecordDelivery(handler, new GenericMessage<>("value"), provided);
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    private final class Saying implements ShareAcknowledgment {

        @Override
        public void acknowledge() {
            said.add("accept");
        }

        @Override
        public void release() {
            said.add("release");
        }

        @Override
        public void reject() {
            said.add("reject");
        }

        @Override
        public void renew() {
            said.add("renew");
        }
    }
}
