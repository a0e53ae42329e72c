package io.inboxkit.rabbitmq;

import io.inboxkit.HeldDeliveries;
import io.inboxkit.InboxConfigurationException;
import io.inboxkit.InboxConfigurationException.Finding;
import io.inboxkit.InboxObserver;
import io.inboxkit.InterceptedHandlers;
import io.inboxkit.ListenerDefaults;
import io.inboxkit.MissedHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.annotation.RabbitHandler;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.annotation.RabbitListeners;
import org.springframework.amqp.rabbit.listener.MethodRabbitListenerEndpoint;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * All RabbitMQ listeners of the application. Puts the inbox around those that are annotated, and stops the start with
 * everything that is wrong with them before the first container starts.
 */
public final class InboxListeners implements SmartLifecycle {

    private static final MissedHandlers MISSED = new MissedHandlers(
            "RabbitMQ", List.of(RabbitListener.class, RabbitListeners.class), RabbitHandler.class, method -> false);

    private final Map<String, InboxListener> listeners = new ConcurrentHashMap<>();
    private final List<Finding> findings = new ArrayList<>();
    private final ConfigurableListableBeanFactory beans;
    private final InterceptedHandlers intercepted;
    private final ListenerSetup setup;
    private volatile boolean running;

    /**
     * @param beans where inboxes and transaction managers are looked for
     * @param defaults what holds where an annotation says nothing
     * @param deliveries what health reads
     * @param intercepted the handlers of all brokers
     * @param observer hears of messages that are refused before they reach the inbox
     */
    public InboxListeners(
            ConfigurableListableBeanFactory beans,
            ListenerDefaults defaults,
            HeldDeliveries deliveries,
            InterceptedHandlers intercepted,
            InboxObserver observer) {
        this.beans = beans;
        this.intercepted = intercepted;
        setup = new ListenerSetup(beans, defaults, deliveries, observer);
    }

    /** An endpoint is about to get its container. */
    InboxListener prepare(MethodRabbitListenerEndpoint endpoint) {
        InboxListener listener = new InboxListener(endpoint);
        listener.intercept();
        listeners.put(listener.id(), listener);
        return listener;
    }

    /**
     * An endpoint has got its container, which is not started.
     *
     * @param startsNow whether it is started without waiting for the application
     * @throws InboxConfigurationException if something is wrong and the start of the application is over; else it is
     *     reported by the start
     */
    void complete(InboxListener listener, MessageListenerContainer container, boolean startsNow) {
        if (listener.handlers().isEmpty()) {
            return;
        }
        listener.handlers().forEach(handler -> intercepted.add(handler.declaration()));
        List<Finding> found = setup.connect(listener, container);
        if (!found.isEmpty() && (startsNow || running)) {
            throw new InboxConfigurationException(found);
        }
        findings.addAll(found);
    }

    /** Before any container, whatever its phase is. */
    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }

    @Override
    public void start() {
        List<Finding> all = new ArrayList<>(findings);
        all.addAll(MISSED.find(beans, intercepted));
        if (!all.isEmpty()) {
            throw new InboxConfigurationException(all);
        }
        setup.registerConsumers();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
