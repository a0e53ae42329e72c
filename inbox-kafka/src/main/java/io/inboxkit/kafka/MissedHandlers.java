package io.inboxkit.kafka;

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
 * Annotated handlers that never came by: their listener would silently run without the inbox. It happens where the
 * application replaces the registry of listener endpoints, or creates it very early.
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
            if (bean == null || !AnnotationUtils.isCandidateClass(bean.getClass(), KafkaListener.class)) {
                continue;
            }
            for (Method method : handlersOf(bean)) {
                HandlerDeclaration handler = HandlerDeclaration.find(bean, method, false);
                if (handler != null && !seen.contains(List.of(handler.type(), handler.method()))) {
                    findings.add(new Finding(
                            "The listener " + handler + " of bean '" + name
                                    + "' is annotated with @IdempotentConsumer, but its endpoint did not pass the inbox, so"
                                    + " duplicates would be processed",
                            "Register it with the KafkaListenerEndpointRegistry bean of the application: do not replace that"
                                    + " registry by KafkaListenerEndpointRegistrar.setEndpointRegistry, and do not make a"
                                    + " BeanPostProcessor depend on it"));
                }
            }
        }
        return findings;
    }

    private static Set<String> singletonNames(ConfigurableListableBeanFactory beans) {
        Set<String> names = new LinkedHashSet<>(List.of(beans.getSingletonNames()));
        names.removeIf(name -> !beans.containsSingleton(name));
        return names;
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
