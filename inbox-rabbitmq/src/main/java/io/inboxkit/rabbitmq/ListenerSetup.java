package io.inboxkit.rabbitmq;

import io.inboxkit.HeldDeliveries;
import io.inboxkit.InboxConfigurationException;
import io.inboxkit.InboxConfigurationException.Finding;
import io.inboxkit.InboxObserver;
import io.inboxkit.ListenerDefaults;
import io.inboxkit.UndecidedMessageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Connects the handlers of a listener to their inboxes, or says why that cannot be. Used while listeners are registered. */
final class ListenerSetup {

    private static final Logger LOG = LoggerFactory.getLogger("io.inboxkit.rabbitmq");

    /** The broker waits 30 minutes for an acknowledgement, unless it is told otherwise. */
    private static final Duration LONGEST_HOLD = Duration.ofMinutes(15);

    private final ConfigurableListableBeanFactory beans;
    private final ListenerDefaults defaults;
    private final HeldDeliveries deliveries;
    private final InboxObserver observer;
    private final HandlerPlanner planner;
    private final List<Runnable> registrations = new ArrayList<>();

    ListenerSetup(
            ConfigurableListableBeanFactory beans,
            ListenerDefaults defaults,
            HeldDeliveries deliveries,
            InboxObserver observer) {
        this.beans = beans;
        this.defaults = defaults;
        this.deliveries = deliveries;
        this.observer = observer;
        this.planner = new HandlerPlanner(beans, defaults);
    }

    /**
     * Connects the annotated handlers of a listener.
     *
     * @return what is wrong; then nothing is connected
     */
    List<Finding> connect(InboxListener listener, MessageListenerContainer created) {
        List<Finding> findings = ListenerRefusals.ofContainer(listener, created);
        if (!(created instanceof AbstractMessageListenerContainer container)) {
            return findings;
        }
        ListenerQueues queues = ListenerQueues.of(container, beans);
        List<HandlerPlan> plans = new ArrayList<>();
        for (InboxHandlerMethod handler : listener.handlers()) {
            try {
                plans.add(planner.plan(listener, handler, queues));
            } catch (InboxConfigurationException e) {
                findings.addAll(e.findings());
            }
        }
        if (!findings.isEmpty()) {
            return findings;
        }
        ListenerReport report = new ListenerReport(listener, container, defaults);
        DeadLetterQueues deadLetters = new DeadLetterQueues(beans, container.getConnectionFactory());
        MessageSettlement settlement = new MessageSettlement(
                deadLetters,
                defaults.withoutDeadLetter(),
                container.getAcknowledgeMode().isManual());
        ContainerAccess.surround(container, settlement);
        ContainerAccess.numberFragments(container);
        HeldMessages held = new HeldMessages(listener.id(), deliveries, container::isActive, LONGEST_HOLD);
        for (HandlerPlan plan : plans) {
            MessageIdentity identity = new MessageIdentity(
                    plan.search(), plan.scope(), plan.declared().onMissingId(), defaults.fingerprint());
            Admission admission =
                    new Admission(listener.id(), plan.inbox(), plan.settings(), plan.names(), identity, observer);
            plan.handler().connect(new MessageInbox(admission, settlement, held, defaults.logMessageIds()));
            if (container.getMessageListener() instanceof InboxBatchAdapter batches) {
                batches.connect(
                        new BatchInbox(admission, plan.declared().onBatchFailure(), settlement, held, container));
            }
            registrations.add(() -> register(plan));
            report.log(plan);
        }
        registrations.add(() -> report.warnOfRefused(queues.names(), deadLetters));
        return findings;
    }

    /** Makes the consumers that are known by name known to their inboxes, and looks at their queues. */
    void registerConsumers() {
        registrations.forEach(Runnable::run);
        registrations.clear();
    }

    private static void register(HandlerPlan plan) {
        for (String consumer : plan.names().known()) {
            try {
                plan.names().register(consumer, plan.inbox(), plan.settings());
            } catch (UndecidedMessageException e) {
                // The application starts without its database if it can; the first message tries again.
                LOG.warn("The consumer '{}' is not registered yet, its first message will do it", consumer, e);
            }
        }
    }
}
