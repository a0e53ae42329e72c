package io.inboxkit;

import io.inboxkit.InboxConfigurationException.Finding;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Async;

/** Refuses handlers whose work goes on after they have returned: their transaction would be committed too early. */
public final class HandlerSignature {

    private static final String CONTINUATION = "kotlin.coroutines.Continuation";

    /** By name, so that nobody needs these libraries. */
    private static final Set<String> REACTIVE = Set.of("org.reactivestreams.Publisher", "kotlinx.coroutines.flow.Flow");

    private HandlerSignature() {}

    /**
     * What is wrong with a handler.
     *
     * @param method the method of the class, not that of an interface
     * @param type the class of the handler
     */
    public static List<Finding> check(Method method, Class<?> type) {
        List<Finding> findings = new ArrayList<>();
        String handler = describe(method, type);
        String late = "so the id would be committed before the work is done";
        if (isAsync(method.getReturnType())) {
            findings.add(
                    new Finding(
                            "The handler " + handler + " returns "
                                    + method.getReturnType().getSimpleName() + ", " + late,
                            "Let the handler do its work on the thread that calls it, and return the result itself or nothing"));
        }
        if (Arrays.stream(method.getParameterTypes()).anyMatch(parameter -> CONTINUATION.equals(parameter.getName()))) {
            findings.add(new Finding(
                    "The handler " + handler + " is a Kotlin suspend function, " + late,
                    "Make it an ordinary function that does its work on the thread that calls it"));
        }
        if (isMarkedAsync(method, type)) {
            findings.add(
                    new Finding(
                            "The handler " + handler + " is @Async, " + late,
                            "Remove @Async from the handler and its class; the container's concurrency runs handlers in parallel"));
        }
        return findings;
    }

    /** How messages name a handler, such as {@code Payments.on(PaymentRequested)}. */
    public static String describe(Method method, Class<?> type) {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", type.getSimpleName() + "." + method.getName() + "(", ")"));
    }

    /**
     * Whether a value is the promise of a result, so that the work behind it may still go on. A handler that is declared to
     * return {@code Object} can return one, too.
     */
    public static boolean isAsync(Object result) {
        return isAsync(result.getClass());
    }

    private static boolean isAsync(Class<?> type) {
        return Future.class.isAssignableFrom(type)
                || CompletionStage.class.isAssignableFrom(type)
                || supertypes(type, new HashSet<>()).stream().anyMatch(REACTIVE::contains);
    }

    private static Set<String> supertypes(Class<?> type, Set<String> names) {
        if (names.add(type.getName())) {
            if (type.getSuperclass() != null) {
                supertypes(type.getSuperclass(), names);
            }
            Arrays.stream(type.getInterfaces()).forEach(parent -> supertypes(parent, names));
        }
        return names;
    }

    private static boolean isMarkedAsync(Method method, Class<?> type) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(Async.class)
                || MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY).isPresent(Async.class);
    }
}
