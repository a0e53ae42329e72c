package io.inboxkit.kafka;

import io.inboxkit.HeldDeliveries;
import io.inboxkit.RejectedMessageException;
import io.inboxkit.UndeliverableAction;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.AfterRollbackProcessor;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.ExceptionClassifier;
import org.springframework.kafka.listener.KafkaListenerErrorHandler;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.util.ReflectionUtils;

/** Fits the error handling of a listener and of its container to what the inbox throws. Used at start-up only. */
final class ErrorHandling {

    private static final Field LISTENER_ERROR_HANDLER = listenerErrorHandlerField();

    private ErrorHandling() {}

    /**
     * Wraps the error handling of a container that has been created and not yet started.
     *
     * @param withoutDeadLetter what happens to refused messages if the application has set no error handler
     * @param scheduler resumes held partitions
     * @param assigned hears of each assignment of partitions, on the consumer's thread; not where the container has a
     *     Kafka transaction manager and no error handler, since then nobody tells
     * @param failed hears of failures that are the business of the container's own error handling
     * @return the held partitions of this listener, which must be told what went on
     */
    static <K, V> HeldPartitions install(
            AbstractMessageListenerContainer<K, V> container,
            HeldDeliveries deliveries,
            UndeliverableAction withoutDeadLetter,
            TaskScheduler scheduler,
            Consumer<Collection<TopicPartition>> assigned,
            FailedDeliveries failed) {
        CommonErrorHandler own = container.getCommonErrorHandler();
        boolean transactional = container.getContainerProperties().getKafkaAwareTransactionManager() != null;
        HeldPartitions held = new HeldPartitions(
                container.getListenerId(),
                own == null && withoutDeadLetter == UndeliverableAction.HOLD,
                deliveries,
                scheduler);
        if (transactional) {
            neverRetryRejected(container.getAfterRollbackProcessor());
            // The container hands its own records to it, whatever wider type the getter declares.
            @SuppressWarnings("unchecked")
            var processor = (AfterRollbackProcessor<K, V>) container.getAfterRollbackProcessor();
            container.setAfterRollbackProcessor(new HoldingAfterRollbackProcessor<>(processor, held, failed));
        }
        if (own != null || !transactional) {
            // Without an error handler the container makes this very one, except where it has a transaction manager.
            CommonErrorHandler delegate = own != null ? own : new DefaultErrorHandler();
            neverRetryRejected(delegate);
            boolean batch = container.getContainerProperties().getMessageListener() instanceof BatchMessageListener;
            container.setCommonErrorHandler(
                    new HoldingErrorHandler(delegate, held, batch, transactional, assigned, failed));
        }
        return held;
    }

    /**
     * Lets refused messages go to the dead letters at once, if this object of the framework decides that: an error
     * handler, an after-rollback processor, or the destination resolver of retry topics.
     */
    static void neverRetryRejected(Object classifier) {
        if (classifier instanceof ExceptionClassifier exceptions) {
            exceptions.addNotRetryableExceptions(RejectedMessageException.class);
        }
    }

    /**
     * Keeps undecided deliveries away from the error handler of a listener ({@code @KafkaListener(errorHandler = …)}).
     * To be called before the endpoint's container is created.
     */
    static void passUndecided(MethodKafkaListenerEndpoint<?, ?> endpoint) {
        Object own = ReflectionUtils.getField(LISTENER_ERROR_HANDLER, endpoint);
        if (own instanceof KafkaListenerErrorHandler handler && !(own instanceof UndecidedPassingErrorHandler)) {
            endpoint.setErrorHandler(new UndecidedPassingErrorHandler(handler));
        }
    }

    /** The endpoint has a setter and no getter. A framework without this field must fail at the start, not silently. */
    private static Field listenerErrorHandlerField() {
        Field field = ReflectionUtils.findField(MethodKafkaListenerEndpoint.class, "errorHandler");
        if (field == null) {
            throw new IllegalStateException("This version of spring-kafka is not supported: the error handler of a"
                    + " listener cannot be read, so an undecided message could be lost in it. Use the spring-kafka"
                    + " version of a supported Spring Boot");
        }
        ReflectionUtils.makeAccessible(field);
        return field;
    }
}
