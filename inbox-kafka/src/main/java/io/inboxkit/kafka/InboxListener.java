package io.inboxkit.kafka;

import io.inboxkit.HandlerDeclaration;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.kafka.annotation.DltHandler;
import org.springframework.kafka.config.KafkaListenerContainerFactory;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;
import org.springframework.kafka.config.MultiMethodKafkaListenerEndpoint;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.messaging.handler.annotation.support.MessageHandlerMethodFactory;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.util.ReflectionUtils;

/** One endpoint, between its registration and the start of its container: which of its handlers the inbox surrounds. */
final class InboxListener implements MessageHandlerMethodFactory {

    private final MethodKafkaListenerEndpoint<?, ?> endpoint;
    private final @Nullable InboxListener main;
    private final Object bean;
    private final Set<Method> methods;
    private final List<InboxHandlerMethod> handlers = new ArrayList<>();
    private final @Nullable Role givenRole;
    private @Nullable MessageHandlerMethodFactory original;
    private @Nullable Wiring wiring;
    private List<HandlerPlan> plans = List.of();

    /**
     * @param main the listener that this one retries for or takes the dead letters of; {@code null} for a main listener
     */
    InboxListener(MethodKafkaListenerEndpoint<?, ?> endpoint, @Nullable InboxListener main) {
        this(endpoint, main, null);
    }

    private InboxListener(
            MethodKafkaListenerEndpoint<?, ?> endpoint, @Nullable InboxListener main, @Nullable Role givenRole) {
        this.endpoint = endpoint;
        this.main = main;
        this.givenRole = givenRole;
        this.bean = endpoint.getBean();
        Class<?> type = HandlerDeclaration.typeOf(bean);
        this.methods = methodsOf(endpoint).stream()
                .map(method -> AopUtils.getMostSpecificMethod(method, type))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static List<Method> methodsOf(MethodKafkaListenerEndpoint<?, ?> endpoint) {
        return endpoint instanceof MultiMethodKafkaListenerEndpoint<?, ?> multi
                ? multi.getMethods()
                : List.of(endpoint.getMethod());
    }

    /** Lets the endpoint create its handlers through us; only if one of them is annotated. */
    void intercept() {
        if (methods.stream().anyMatch(method -> declarationOf(method) != null)) {
            original = factoryOf(endpoint);
            endpoint.setMessageHandlerMethodFactory(this);
            ErrorHandling.passUndecided(endpoint);
        }
    }

    /** The container of this listener is there, with what another one for the same handlers can be made of. */
    void wired(Wiring newWiring) {
        wiring = newWiring;
    }

    /** What the handlers need, once they are connected. */
    void planned(List<HandlerPlan> newPlans) {
        plans = List.copyOf(newPlans);
    }

    List<HandlerPlan> plans() {
        return plans;
    }

    /** {@code null} if this listener has no container yet, or no annotated handler. */
    @Nullable
    Wiring wiring() {
        return wiring;
    }

    /**
     * Creates another container for the same handlers, with the inbox around them anew, and leaves this listener as it is.
     *
     * @param role what the records of that container are to the handlers, or {@code null} for what they are here
     * @param creation creates the container from the endpoint
     */
    Replica replicate(@Nullable Role role, Supplier<MessageListenerContainer> creation) {
        InboxListener replica = new InboxListener(endpoint, main, role);
        synchronized (endpoint) {
            replica.original = original;
            endpoint.setMessageHandlerMethodFactory(replica);
            try {
                return new Replica(replica, creation.get());
            } finally {
                endpoint.setMessageHandlerMethodFactory(this);
            }
        }
    }

    @Override
    public InvocableHandlerMethod createInvocableHandlerMethod(Object handlerBean, Method method) {
        if (original == null) {
            throw new IllegalStateException("The listener '" + id() + "' is not intercepted");
        }
        InvocableHandlerMethod handler = original.createInvocableHandlerMethod(handlerBean, method);
        HandlerDeclaration declaration = declarationOf(method);
        if (declaration == null) {
            return handler;
        }
        InboxHandlerMethod intercepted = new InboxHandlerMethod(handler, declaration);
        handlers.add(intercepted);
        return intercepted;
    }

    private @Nullable HandlerDeclaration declarationOf(Method method) {
        return declarationOf(bean, method, role() == Role.DEAD_LETTERS);
    }

    /**
     * The declaration of a handler, or {@code null} if it is not annotated.
     *
     * @param deadLetters whether it handles what a listener has failed with; the annotation of the class, which is meant for
     *     that listener, would then mark failed messages as processed
     */
    static @Nullable HandlerDeclaration declarationOf(Object bean, Method method, boolean deadLetters) {
        return HandlerDeclaration.find(bean, method, own -> !deadLetters && !isDltHandler(own));
    }

    static boolean isDltHandler(Method method) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(DltHandler.class);
    }

    String id() {
        return String.valueOf(endpoint.getId());
    }

    MethodKafkaListenerEndpoint<?, ?> endpoint() {
        return endpoint;
    }

    /** The main listener; for a main listener itself. */
    InboxListener main() {
        return main == null ? this : main;
    }

    /** The annotated handlers. */
    List<InboxHandlerMethod> handlers() {
        return handlers;
    }

    boolean allHandlersAnnotated() {
        return methods.stream().allMatch(method -> declarationOf(method) != null);
    }

    /**
     * What this listener is to its main listener. The handler decides, since a retry topic has the very handlers of the main
     * listener; a header does not, since a producer can write it.
     */
    Role role() {
        if (givenRole != null) {
            return givenRole;
        }
        if (main == null) {
            return Role.MAIN;
        }
        return main.methods.containsAll(methods) ? Role.RETRY : Role.DEAD_LETTERS;
    }

    private static @Nullable MessageHandlerMethodFactory factoryOf(MethodKafkaListenerEndpoint<?, ?> endpoint) {
        Method getter = ReflectionUtils.findMethod(MethodKafkaListenerEndpoint.class, "getMessageHandlerMethodFactory");
        if (getter == null) {
            throw new IllegalStateException("This version of spring-kafka is not supported: the method factory of a"
                    + " listener cannot be read. Use the spring-kafka version of a supported Spring Boot");
        }
        ReflectionUtils.makeAccessible(getter);
        return (MessageHandlerMethodFactory) ReflectionUtils.invokeMethod(getter, endpoint);
    }

    /**
     * What a container of a listener is made of.
     *
     * @param factory makes it from the endpoint
     * @param container the one that it made
     * @param group the group id of the main listener
     */
    record Wiring(
            KafkaListenerContainerFactory<?> factory, MessageListenerContainer container, @Nullable String group) {}

    /** A listener beside another one, with the same handlers, and its container. */
    record Replica(InboxListener listener, MessageListenerContainer container) {}

    enum Role {
        MAIN,
        RETRY,
        DEAD_LETTERS
    }
}
