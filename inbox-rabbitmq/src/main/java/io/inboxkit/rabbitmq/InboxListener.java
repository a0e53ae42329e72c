package io.inboxkit.rabbitmq;

import io.inboxkit.HandlerDeclaration;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.listener.MethodRabbitListenerEndpoint;
import org.springframework.messaging.handler.annotation.support.MessageHandlerMethodFactory;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.util.ReflectionUtils;

/** One endpoint, between its registration and the start of its container: which of its handlers the inbox surrounds. */
final class InboxListener implements MessageHandlerMethodFactory {

    private final MethodRabbitListenerEndpoint endpoint;
    private final List<InboxHandlerMethod> handlers = new ArrayList<>();
    private @Nullable MessageHandlerMethodFactory original;

    InboxListener(MethodRabbitListenerEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** Lets the endpoint create its handlers through us; a class-level one does not tell beforehand which they are. */
    void intercept() {
        original = factoryOf(endpoint);
        if (original != null) {
            endpoint.setMessageHandlerMethodFactory(this);
            InboxBatchAdapter.provideFor(endpoint);
        }
    }

    @Override
    public InvocableHandlerMethod createInvocableHandlerMethod(Object bean, Method method) {
        if (original == null) {
            throw new IllegalStateException("The listener '" + id() + "' is not intercepted");
        }
        InvocableHandlerMethod handler = original.createInvocableHandlerMethod(bean, method);
        HandlerDeclaration declaration = HandlerDeclaration.find(bean, method, own -> true);
        if (declaration == null) {
            return handler;
        }
        InboxHandlerMethod intercepted = new InboxHandlerMethod(handler, declaration);
        handlers.add(intercepted);
        return intercepted;
    }

    String id() {
        return String.valueOf(endpoint.getId());
    }

    MethodRabbitListenerEndpoint endpoint() {
        return endpoint;
    }

    /** The annotated handlers. */
    List<InboxHandlerMethod> handlers() {
        return handlers;
    }

    private static @Nullable MessageHandlerMethodFactory factoryOf(MethodRabbitListenerEndpoint endpoint) {
        Method getter =
                ReflectionUtils.findMethod(MethodRabbitListenerEndpoint.class, "getMessageHandlerMethodFactory");
        if (getter == null) {
            throw new IllegalStateException("This version of spring-rabbit is not supported: the method factory of a"
                    + " listener cannot be read. Use the spring-rabbit version of a supported Spring Boot");
        }
        ReflectionUtils.makeAccessible(getter);
        return (MessageHandlerMethodFactory) ReflectionUtils.invokeMethod(getter, endpoint);
    }
}
