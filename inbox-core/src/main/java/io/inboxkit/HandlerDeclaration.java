package io.inboxkit;

import java.lang.reflect.Method;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/**
 * A handler method and the annotation that covers it.
 *
 * @param type the class of the bean, without proxies
 * @param method the method of that class; not that of an interface, which need not carry the annotation
 * @param annotation the annotation
 */
public record HandlerDeclaration(Class<?> type, Method method, IdempotentConsumer annotation) {

    /** The class of a bean, behind JDK and class proxies. */
    public static Class<?> typeOf(Object bean) {
        return ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean));
    }

    /**
     * The declaration of a handler, or {@code null} if it is not annotated.
     *
     * @param bean the bean, with or without proxies
     * @param method its method, or that of an interface
     * @param coveredByClass whether the annotation of the class is meant for that method, too
     */
    public static @Nullable HandlerDeclaration find(Object bean, Method method, Predicate<Method> coveredByClass) {
        Class<?> type = typeOf(bean);
        Method own = AopUtils.getMostSpecificMethod(method, type);
        IdempotentConsumer annotation = ConsumerDeclaration.onMethod(own);
        if (annotation == null && coveredByClass.test(own)) {
            annotation = ConsumerDeclaration.onClass(type);
        }
        return annotation == null ? null : new HandlerDeclaration(type, own, annotation);
    }

    @Override
    public String toString() {
        return HandlerSignature.describe(method, type);
    }
}
