package io.inboxkit.kafka;

import io.inboxkit.ConsumerDeclaration;
import io.inboxkit.HandlerDeclaration;
import io.inboxkit.IdempotentConsumer;
import io.inboxkit.InboxConfigurationException.Finding;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.KafkaListeners;
import org.springframework.util.ReflectionUtils.MethodFilter;

/**
 * Annotated methods that never came by: they would silently run without the inbox. It happens where the application
 * replaces the registry of listener endpoints, or creates it very early, and where an annotated method is no listener.
 */
final class MissedHandlers {

    private MissedHandlers() {}

    static List<Finding> find(ConfigurableListableBeanFactory beans, Collection<InboxListener> listeners) {
        Set<Object> seen = new HashSet<>();
        listeners.forEach(listener -> listener.handlers()
                .forEach(handler -> seen.add(List.of(
                        handler.declaration().type(), handler.declaration().method()))));
        List<Finding> findings = new ArrayList<>();
        for (String name : singletonNames(beans)) {
            Object bean = beans.getSingleton(name);
            // A handler that is a null bean or the product of a factory bean is not one that listens.
            if (bean == null || !AnnotationUtils.isCandidateClass(bean.getClass(), IdempotentConsumer.class)) {
                continue;
            }
            Set<Method> listening = handlersOf(bean);
            Set<Method> candidates = new LinkedHashSet<>(listening);
            candidates.addAll(annotated(bean));
            for (Method method : candidates) {
                HandlerDeclaration handler = InboxListener.declarationOf(bean, method, false);
                if (handler != null && !seen.contains(List.of(handler.type(), handler.method()))) {
                    findings.add(
                            listening.contains(method) ? unprotected(name, handler) : withoutEffect(name, handler));
                }
            }
        }
        return findings;
    }

    private static Finding unprotected(String bean, HandlerDeclaration handler) {
        return new Finding(
                "The listener " + handler + " of bean '" + bean
                        + "' is annotated with @IdempotentConsumer, but its endpoint did not pass the inbox, so"
                        + " duplicates would be processed",
                "Register it with the KafkaListenerEndpointRegistry bean of the application: do not replace that"
                        + " registry by KafkaListenerEndpointRegistrar.setEndpointRegistry, and do not make a"
                        + " BeanPostProcessor depend on it");
    }

    private static Finding withoutEffect(String bean, HandlerDeclaration method) {
        return new Finding(
                "The method " + method + " of bean '" + bean
                        + "' is annotated with @IdempotentConsumer, but no Kafka listener calls it as its handler, so the"
                        + " annotation has no effect and duplicates would be processed",
                "Put the annotation on the @KafkaListener method, or remove it and call Inbox.process around the work");
    }

    private static Set<String> singletonNames(ConfigurableListableBeanFactory beans) {
        Set<String> names = new LinkedHashSet<>(List.of(beans.getSingletonNames()));
        names.removeIf(name -> !beans.containsSingleton(name));
        return names;
    }

    /**
     * The methods that carry the annotation themselves; that of a class may be meant for some of its methods only. A handler of
     * dead letters is not called where there are no dead letters.
     */
    private static Set<Method> annotated(Object bean) {
        return MethodIntrospector.selectMethods(HandlerDeclaration.typeOf(bean), (MethodFilter)
                method -> ConsumerDeclaration.onMethod(method) != null && !InboxListener.isDltHandler(method));
    }

    private static Set<Method> handlersOf(Object bean) {
        Class<?> type = HandlerDeclaration.typeOf(bean);
        boolean listens = isListener(MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY));
        return MethodIntrospector.selectMethods(type, (MethodFilter) method -> {
            MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
            return isListener(annotations) || (listens && annotations.isPresent(KafkaHandler.class));
        });
    }

    private static boolean isListener(MergedAnnotations annotations) {
        return annotations.isPresent(KafkaListener.class) || annotations.isPresent(KafkaListeners.class);
    }
}
