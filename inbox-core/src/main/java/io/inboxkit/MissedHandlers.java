package io.inboxkit;

import io.inboxkit.InboxConfigurationException.Finding;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ReflectionUtils.MethodFilter;

/**
 * Annotated methods that never came by: they would silently run without the inbox. It happens where the application
 * replaces the registry of listener endpoints, or creates it very early, and where an annotated method is no listener.
 *
 * @param broker how messages name the broker
 * @param listeners the annotations of its listeners, on methods or classes
 * @param handler the annotation of methods of listeners that are classes
 * @param exempt methods that the annotation of their class is not meant for, and that need not be called
 */
public record MissedHandlers(
        String broker,
        List<Class<? extends Annotation>> listeners,
        Class<? extends Annotation> handler,
        Predicate<Method> exempt) {

    /**
     * What is wrong.
     *
     * @param beans the beans of the application, all singletons created
     * @param seen the handlers that came by, of all brokers
     */
    public List<Finding> find(ConfigurableListableBeanFactory beans, InterceptedHandlers seen) {
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
                HandlerDeclaration declared = HandlerDeclaration.find(bean, method, exempt.negate());
                if (declared != null && !seen.contains(declared)) {
                    findings.add(
                            listening.contains(method) ? unprotected(name, declared) : withoutEffect(name, declared));
                }
            }
        }
        return findings;
    }

    private Finding unprotected(String bean, HandlerDeclaration declared) {
        return new Finding(
                "The listener " + declared + " of bean '" + bean
                        + "' is annotated with @IdempotentConsumer, but its endpoint did not pass the inbox, so"
                        + " duplicates would be processed",
                "Register it with the endpoint registry bean of the application: do not replace that registry by"
                        + " setEndpointRegistry of the " + broker + " registrar, and do not make a BeanPostProcessor"
                        + " depend on it");
    }

    private Finding withoutEffect(String bean, HandlerDeclaration declared) {
        return new Finding(
                "The method " + declared + " of bean '" + bean
                        + "' is annotated with @IdempotentConsumer, but no " + broker
                        + " listener calls it as its handler, so the annotation has no effect and duplicates would be"
                        + " processed",
                "Put the annotation on the @" + listeners.get(0).getSimpleName()
                        + " method, or remove it and call Inbox.process around the work");
    }

    private static Set<String> singletonNames(ConfigurableListableBeanFactory beans) {
        Set<String> names = new LinkedHashSet<>(List.of(beans.getSingletonNames()));
        names.removeIf(name -> !beans.containsSingleton(name));
        return names;
    }

    /** The methods that carry the annotation themselves; that of a class may be meant for some of its methods only. */
    private Set<Method> annotated(Object bean) {
        return select(
                HandlerDeclaration.typeOf(bean),
                method -> ConsumerDeclaration.onMethod(method) != null && !exempt.test(method));
    }

    private Set<Method> handlersOf(Object bean) {
        Class<?> type = HandlerDeclaration.typeOf(bean);
        boolean listens = isListener(MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY));
        return select(type, method -> {
            MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
            return isListener(annotations) || (listens && annotations.isPresent(handler));
        });
    }

    private static Set<Method> select(Class<?> type, MethodFilter filter) {
        return MethodIntrospector.selectMethods(type, filter);
    }

    private boolean isListener(MergedAnnotations annotations) {
        return listeners.stream().anyMatch(annotations::isPresent);
    }
}
