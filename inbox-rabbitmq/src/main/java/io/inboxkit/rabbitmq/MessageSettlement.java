package io.inboxkit.rabbitmq;

import io.inboxkit.RejectedMessageException;
import io.inboxkit.UndeliverableAction;
import java.util.HashSet;
import java.util.Set;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.ImmediateRequeueAmqpException;

/**
 * How deliveries end that never reached the handler: in the dead letters, or back in the queue. As the outermost advice of the
 * container it tells the container so, past what the application has put around the listener: retries would count such a
 * delivery, and error handlers could take it for handled. Thread-safe.
 */
final class MessageSettlement implements MethodInterceptor {

    private static final ThreadLocal<Verdict> VERDICTS = new ThreadLocal<>();
    private final DeadLetterQueues deadLetters;
    private final UndeliverableAction withoutDeadLetter;
    private final boolean manual;

    /**
     * @param deadLetters where rejected messages go
     * @param withoutDeadLetter what happens to them where they go nowhere
     * @param manual whether the handler acknowledges
     */
    MessageSettlement(DeadLetterQueues deadLetters, UndeliverableAction withoutDeadLetter, boolean manual) {
        this.deadLetters = deadLetters;
        this.withoutDeadLetter = withoutDeadLetter;
        this.manual = manual;
    }

    boolean isManual() {
        return manual;
    }

    /**
     * Has a delivery rejected without requeue.
     *
     * @return whether it will be; not if it would be lost
     */
    boolean reject(ReceivedMessage delivery, RejectedMessageException reason) {
        if (!mayReject(delivery)) {
            return false;
        }
        rejectAnyway(reason);
        return true;
    }

    /** Whether a delivery may be rejected without requeue; not if it would be lost. */
    boolean mayReject(ReceivedMessage delivery) {
        return withoutDeadLetter != UndeliverableAction.HOLD || deadLetters.takes(delivery.queue());
    }

    /** Has a delivery rejected without requeue. */
    void rejectAnyway(Exception reason) {
        end(new AmqpRejectAndDontRequeueException(String.valueOf(reason.getMessage()), manual, reason));
    }

    /** Has a delivery returned to its queue. */
    void giveBack(Exception reason) {
        end(new ImmediateRequeueAmqpException(String.valueOf(reason.getMessage()), reason));
    }

    /**
     * Whether a delivery of a batch has not been settled yet: retries of the application hand the same batch on again.
     */
    boolean isFirstFor(long tag) {
        Verdict verdict = VERDICTS.get();
        return verdict == null || verdict.settled.add(tag);
    }

    private void end(AmqpException failure) {
        Verdict verdict = VERDICTS.get();
        if (verdict == null) {
            // Somebody has replaced the advices of the container: the next best is what they let through.
            throw failure;
        }
        verdict.failure = failure;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Verdict verdict = new Verdict();
        VERDICTS.set(verdict);
        Object result;
        try {
            result = invocation.proceed();
        } catch (Throwable e) {
            if (verdict.failure != null) {
                verdict.failure.addSuppressed(e);
                throw verdict.failure;
            }
            throw e;
        } finally {
            VERDICTS.remove();
        }
        if (verdict.failure != null) {
            throw verdict.failure;
        }
        return result;
    }

    private static final class Verdict {
        private final Set<Long> settled = new HashSet<>();
        private @Nullable AmqpException failure;
    }
}
