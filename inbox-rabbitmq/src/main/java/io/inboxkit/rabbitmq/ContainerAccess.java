package io.inboxkit.rabbitmq;

import java.lang.reflect.Method;
import java.util.Objects;
import org.aopalliance.aop.Advice;
import org.apache.commons.logging.LogFactory;
import org.springframework.amqp.listener.ContainerUtils;
import org.springframework.amqp.rabbit.batch.BatchingStrategy;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.util.ReflectionUtils;

/** Changes settings of a container that it has setters for, but no getters. */
final class ContainerAccess {

    private static final String CATEGORY = "io.inboxkit.rabbitmq";

    private ContainerAccess() {}

    /** Puts an advice around all those of the application. */
    static void surround(AbstractMessageListenerContainer container, Advice outermost) {
        Advice[] inner = read(container, "getAdviceChain", Advice[].class);
        Advice[] all = new Advice[inner.length + 1];
        all[0] = outermost;
        System.arraycopy(inner, 0, all, 1, inner.length);
        container.setAdviceChain(all);
    }

    /** Has the messages of a producer's batch numbered. */
    static void numberFragments(AbstractMessageListenerContainer container) {
        container.setBatchingStrategy(
                new FragmentNumbering(read(container, "getBatchingStrategy", BatchingStrategy.class)));
    }

    /**
     * Whether the container would requeue a delivery that failed so; its error handler hears of the failure.
     */
    static boolean requeues(AbstractMessageListenerContainer container, Exception failure) {
        Method handle = ReflectionUtils.findMethod(
                AbstractMessageListenerContainer.class, "invokeErrorHandler", Throwable.class);
        Exception verdict = failure;
        if (handle != null) {
            ReflectionUtils.makeAccessible(handle);
            try {
                ReflectionUtils.invokeMethod(handle, container, failure);
            } catch (RuntimeException e) {
                // That is how it says what it thinks of the failure.
                verdict = e;
            }
        }
        return ContainerUtils.shouldRequeue(
                read(container, "isDefaultRequeueRejected", Boolean.class), verdict, LogFactory.getLog(CATEGORY));
    }

    private static <T> T read(AbstractMessageListenerContainer container, String getter, Class<T> type) {
        Method method = ReflectionUtils.findMethod(AbstractMessageListenerContainer.class, getter);
        if (method == null) {
            throw new IllegalStateException("This version of spring-rabbit is not supported: a container has no "
                    + getter + ". Use the spring-rabbit version of a supported Spring Boot");
        }
        ReflectionUtils.makeAccessible(method);
        return Objects.requireNonNull(type.cast(ReflectionUtils.invokeMethod(method, container)));
    }
}
