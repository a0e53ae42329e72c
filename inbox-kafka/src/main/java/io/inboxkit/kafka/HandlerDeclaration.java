package io.inboxkit.kafka;

import io.inboxkit.ConsumerDeclaration;
import io.inboxkit.HandlerSignature;
import io.inboxkit.IdempotentConsumer;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.kafka.annotation.DltHandler;
import org.springframework.util.ClassUtils;

/**
 * A handler method and the annotation that covers it.
 *
 * @param type the class of the bean, without proxies
 * @param method the method of that class; not that of an interface, which need not carry the annotation
 * @param annotation the annotation
 */
record HandlerDeclaration(Class<?> type, Method method, IdempotentConsumer annotation) {

    /** The class of a bean, behind JDK and class proxies. */
    static Class<?> typeOf(Object bean) {
        return ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean));
    }

    /**
     * The declaration of a handler, or {@code null} if it is not annotated.
     *
     * @param deadLetters whether it handles what a listener has failed with; the annotation of the class, which is meant for
     *     that listener, would then mark failed messages as processed
     */
    static @Nullable HandlerDeclaration find(Object bean, Method method, boolean deadLetters) {
        Class<?> type = typeOf(bean);
        Method own = AopUtils.getMostSpecificMethod(method, type);
        IdempotentConsumer annotation = ConsumerDeclaration.onMethod(own);
        if (annotation == null && !deadLetters && !isDltHandler(own)) {
            annotation = ConsumerDeclaration.onClass(type);
        }
        return annotation == null ? null : new HandlerDeclaration(type, own, annotation);
    }

    private static boolean isDltHandler(Method method) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(DltHandler.class);
    }

    @Override
    public String toString() {
        return HandlerSignature.describe(method, type);
    }
}
