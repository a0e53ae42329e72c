package io.inboxkit.kafka;

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
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.KafkaListeners;
import org.springframework.kafka.config.KafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.retrytopic.DestinationTopicResolver;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * All Kafka listeners of the application. Puts the inbox around those that are annotated, and stops the start with
 * everything that is wrong with them before the first container starts.
 */
public final class InboxListeners implements SmartLifecycle, DisposableBean {

    private static final MissedHandlers MISSED = new MissedHandlers(
            "Kafka",
            List.of(KafkaListener.class, KafkaListeners.class),
            KafkaHandler.class,
            InboxListener::isDltHandler);

    private final Map<String, InboxListener> listeners = new ConcurrentHashMap<>();
    private final List<Finding> findings = new ArrayList<>();
    private final TopicAdmins admins = new TopicAdmins();
    private final ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
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
        scheduler.setThreadNamePrefix("inbox-held-");
        scheduler.setDaemon(true);
        scheduler.initialize();
        setup = new ListenerSetup(beans, defaults, deliveries, observer, new ListenerResources(admins, scheduler));
    }

    /** An endpoint is about to get its container. */
    InboxListener prepare(MethodKafkaListenerEndpoint<?, ?> endpoint) {
        String main = endpoint.getMainListenerId();
        InboxListener listener = new InboxListener(endpoint, main == null ? null : listeners.get(main));
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
    void complete(
            InboxListener listener,
            KafkaListenerContainerFactory<?> factory,
            MessageListenerContainer container,
            KafkaListenerEndpointRegistry registry,
            boolean startsNow) {
        if (listener.handlers().isEmpty()) {
            return;
        }
        listener.handlers().forEach(handler -> intercepted.add(handler.declaration()));
        InboxListener main = listener.main();
        MessageListenerContainer mainContainer = main == listener ? container : containerOf(main, registry);
        String group = mainContainer == null ? null : mainContainer.getGroupId();
        listener.wired(new InboxListener.Wiring(factory, container, group));
        List<Finding> found = setup.connect(listener, container, group, null);
        if (found.isEmpty() && (startsNow || running)) {
            found.addAll(setup.checkTopics());
        }
        if (!found.isEmpty() && (startsNow || running)) {
            throw new InboxConfigurationException(found);
        }
        findings.addAll(found);
        if (running) {
            neverRetryRefused();
        }
    }

    /** The listeners by their ids. */
    Map<String, InboxListener> all() {
        return Map.copyOf(listeners);
    }

    /** The id of a topic, asked for as a container connects; {@code null} if the broker does not tell. */
    @Nullable
    UUID topicId(AbstractMessageListenerContainer<?, ?> container, String topic) {
        return new TopicIds(admins, container).current(topic);
    }

    /**
     * Connects a listener that handles the records of a replay.
     *
     * @return what is wrong; then nothing is connected
     */
    List<Finding> connect(
            InboxListener replica, MessageListenerContainer container, @Nullable String group, ReplaySetup replay) {
        return setup.connect(replica, container, group, replay);
    }

    /** Refused messages of {@code @RetryableTopic} listeners go to the dead-letter topic without a single retry. */
    private void neverRetryRefused() {
        // Looked for late: where nobody defines one, the first such listener does, behind the back of post-processors.
        beans.getBeansOfType(DestinationTopicResolver.class).values().forEach(ErrorHandling::neverRetryRejected);
    }

    private static @Nullable MessageListenerContainer containerOf(
            InboxListener listener, KafkaListenerEndpointRegistry registry) {
        return registry.getListenerContainer(listener.id());
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
        if (all.isEmpty()) {
            all.addAll(setup.checkTopics());
        }
        if (!all.isEmpty()) {
            throw new InboxConfigurationException(all);
        }
        neverRetryRefused();
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

    @Override
    public void destroy() {
        scheduler.shutdown();
        admins.close();
    }
}
