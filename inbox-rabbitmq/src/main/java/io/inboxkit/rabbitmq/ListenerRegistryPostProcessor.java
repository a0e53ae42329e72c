package io.inboxkit.rabbitmq;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.listener.RabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/**
 * Puts the inbox between the registry of listener endpoints and the factories of their containers. Every
 * {@code @RabbitListener} passes the registry, whatever its factory is and whenever it is created.
 */
public final class ListenerRegistryPostProcessor implements BeanPostProcessor, PriorityOrdered {

    private final ObjectProvider<InboxListeners> listeners;

    /**
     * @param listeners asked for only when the first endpoint is registered, since a post-processor must not create other
     *     beans early
     */
    public ListenerRegistryPostProcessor(ObjectProvider<InboxListeners> listeners) {
        this.listeners = listeners;
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof RabbitListenerEndpointRegistry) {
            ProxyFactory proxy = new ProxyFactory(bean);
            proxy.setProxyTargetClass(true);
            proxy.addAdvice(new FactorySwap());
            return proxy.getProxy();
        }
        return bean;
    }

    /** Swaps the factory, not the endpoint: only just before it calls the factory does the registry resolve the endpoint. */
    private final class FactorySwap implements MethodInterceptor {

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            Object[] arguments = invocation.getArguments();
            if ("registerListenerContainer".equals(invocation.getMethod().getName())
                    && arguments[1] instanceof RabbitListenerContainerFactory<?> factory) {
                boolean startsNow = arguments.length > 2 && Boolean.TRUE.equals(arguments[2]);
                arguments[1] = new InboxContainerFactory(factory, listeners.getObject(), startsNow);
            }
            return invocation.proceed();
        }
    }
}
