package io.inboxkit.rabbitmq;

import io.inboxkit.IdempotentConsumer;
import io.inboxkit.InboxAttempt;
import io.inboxkit.MissingIdPolicy;
import io.inboxkit.ProcessingMode;
import io.inboxkit.Tracking;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.springframework.amqp.rabbit.annotation.Exchange;
import org.springframework.amqp.rabbit.annotation.Queue;
import org.springframework.amqp.rabbit.annotation.QueueBinding;
import org.springframework.amqp.rabbit.annotation.RabbitHandler;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Listeners that must stop the start, each for one reason; and some that are fine. */
final class RefusedListeners {

    private RefusedListeners() {}

    static class Fine {
        @RabbitListener(queues = "q")
        @IdempotentConsumer
        void on(String payload, InboxAttempt attempt) {}
    }

    @RabbitListener(queues = "q")
    @IdempotentConsumer
    static class FineClass {
        @RabbitHandler
        void on(String payload) {}

        @RabbitHandler
        void on(byte[] payload) {}
    }

    static class AttemptFirst {
        @RabbitListener(queues = "q")
        @IdempotentConsumer
        void on(InboxAttempt attempt, String payload) {}
    }

    static class Leased {
        @RabbitListener(queues = "q")
        @IdempotentConsumer(mode = ProcessingMode.LEASED)
        void on(String payload) {}
    }

    static class ByPosition {
        @RabbitListener(queues = "q")
        @IdempotentConsumer(track = Tracking.POSITION)
        void on(String payload) {}
    }

    static class UsesPosition {
        @RabbitListener(queues = "q")
        @IdempotentConsumer(onMissingId = MissingIdPolicy.USE_POSITION)
        void on(String payload) {}
    }

    static class StoresReply {
        @RabbitListener(queues = "q")
        @IdempotentConsumer(storeReply = true)
        String on(String payload) {
            return payload;
        }
    }

    static class ReturnsFuture {
        @RabbitListener(queues = "q")
        @IdempotentConsumer
        CompletableFuture<String> on(String payload) {
            return CompletableFuture.completedFuture(payload);
        }
    }

    static class IsAsync {
        @RabbitListener(queues = "q")
        @IdempotentConsumer
        @Async
        void on(String payload) {}
    }

    static class RequiresNew {
        @RabbitListener(queues = "q")
        @IdempotentConsumer
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        void on(String payload) {}
    }

    static class TwoOnOneQueue {
        @RabbitListener(queues = "q")
        @IdempotentConsumer
        void one(String payload) {}

        @RabbitListener(queues = "q")
        @IdempotentConsumer
        void two(String payload) {}
    }

    static class BrokerNamed {
        @RabbitListener(queuesToDeclare = @Queue(""))
        @IdempotentConsumer
        void on(String payload) {}
    }

    static class ExclusiveQueue {
        @RabbitListener(
                bindings = @QueueBinding(value = @Queue(value = "own", exclusive = "true"), exchange = @Exchange("e")))
        @IdempotentConsumer
        void on(String payload) {}
    }

    static class ExclusiveWithAName {
        @RabbitListener(
                bindings = @QueueBinding(value = @Queue(value = "own", exclusive = "true"), exchange = @Exchange("e")))
        @IdempotentConsumer(consumer = "audit")
        void on(String payload) {}
    }

    static class WrongVariable {
        @RabbitListener(queues = "q")
        @IdempotentConsumer(messageId = "#nothing")
        void on(String payload) {}
    }

    static class NoListener {
        @IdempotentConsumer
        void on(String payload) {}
    }

    static class AttemptOfBatch {
        @RabbitListener(queues = "q", batch = "true")
        @IdempotentConsumer
        void on(List<String> payloads, InboxAttempt attempt) {}
    }
}
