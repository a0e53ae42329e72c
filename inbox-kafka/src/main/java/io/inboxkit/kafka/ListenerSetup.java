package io.inboxkit.kafka;

import io.inboxkit.FingerprintMode;
import io.inboxkit.HeldDeliveries;
import io.inboxkit.InboxConfigurationException;
import io.inboxkit.InboxConfigurationException.Finding;
import io.inboxkit.InboxObserver;
import io.inboxkit.ListenerDefaults;
import io.inboxkit.MissingIdPolicy;
import io.inboxkit.UndecidedMessageException;
import io.inboxkit.UndeliverableAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.AbstractShareKafkaMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;

/** Connects the handlers of a listener to their inboxes, or says why that cannot be. Used while listeners are registered. */
final class ListenerSetup {

    private static final Logger LOG = LoggerFactory.getLogger("io.inboxkit.kafka");

    /** Longer than a lock that is renewed in time stays unheard of. */
    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(2);

    private final ConfigurableListableBeanFactory beans;
    private final ListenerDefaults defaults;
    private final HeldDeliveries deliveries;
    private final InboxObserver observer;
    private final ListenerResources resources;
    private final HandlerPlanner planner;
    private final List<Runnable> registrations = new ArrayList<>();
    private final List<Supplier<List<Finding>>> topicChecks = new ArrayList<>();

    ListenerSetup(
            ConfigurableListableBeanFactory beans,
            ListenerDefaults defaults,
            HeldDeliveries deliveries,
            InboxObserver observer,
            ListenerResources resources) {
        this.beans = beans;
        this.defaults = defaults;
        this.deliveries = deliveries;
        this.observer = observer;
        this.resources = resources;
        this.planner = new HandlerPlanner(beans, defaults);
    }

    /**
     * Connects the annotated handlers of a listener.
     *
     * @param group the group id of the main listener
     * @param replay the replay whose records the listener handles; {@code null} for the live listener
     * @return what is wrong; then nothing is connected
     */
    List<Finding> connect(
            InboxListener listener,
            MessageListenerContainer created,
            @Nullable String group,
            @Nullable ReplaySetup replay) {
        List<Finding> findings = ListenerRefusals.ofContainer(listener, created);
        List<HandlerPlan> plans = new ArrayList<>();
        for (InboxHandlerMethod handler : listener.handlers()) {
            try {
                plans.add(planner.plan(listener, handler, group));
            } catch (InboxConfigurationException e) {
                findings.addAll(e.findings());
            }
        }
        if (!findings.isEmpty()) {
            return findings;
        }
        if (created instanceof AbstractShareKafkaMessageListenerContainer<?, ?> shared) {
            return connectShared(listener, new SharedContainer(shared), plans);
        }
        if (!(created instanceof AbstractMessageListenerContainer<?, ?> container)) {
            return findings;
        }
        ListenerReport report = replay == null ? new ListenerReport(listener, container, defaults, beans) : null;
        Map<String, Object> connection = TopicAdmins.connection(
                ContainerConsumerFactory.of(container).getConfigurationProperties(),
                ContainerConsumerFactory.overrides(container));
        TopicIds topics = new TopicIds(resources.admins(), connection);
        TrackedTopics tracked = new TrackedTopics(resources.admins(), connection);
        boolean tracks = plans.stream().anyMatch(HandlerPlan::tracksPositions);
        HeldPartitions held = ErrorHandling.install(
                container,
                deliveries,
                // A replay holds nothing for being refused: it stays in the topic, and in the report.
                replay == null ? defaults.withoutDeadLetter() : UndeliverableAction.DROP,
                resources.scheduler(),
                assigned -> {
                    topics.assigned(assigned);
                    if (tracks) {
                        tracked.assigned(assigned);
                    }
                },
                replay == null ? FailedDeliveries.NONE : replay);
        AttemptNumber attemptNumber =
                new AttemptNumber(container.getContainerProperties().isDeliveryAttemptHeader(), listener.role());
        WireBytes bytes = needsBytes(plans) ? WireBytes.install(container) : null;
        for (HandlerPlan plan : plans) {
            findings.addAll(checkFingerprint(plan, bytes));
            MessageIdentity identity = plan.tracksPositions()
                    ? new RecordPosition(tracked, replay != null)
                    : identity(listener, plan, bytes, topics, replay);
            plan.handler().connect(recordInbox(listener, plan, identity, held, attemptNumber, replay));
            if (replay != null) {
                replay.connected(plan, identity);
            }
            if (report != null) {
                registrations.add(() -> register(plan));
                if (plan.tracksPositions()) {
                    List<String> names = HandlerPlanner.topicsOf(listener.endpoint());
                    topicChecks.add(() -> PositionRefusals.ofTopics(plan, names, resources.admins(), connection));
                }
                report.log(plan, bytes != null ? defaults.fingerprint() : FingerprintMode.NONE);
            }
        }
        listener.planned(plans);
        return findings;
    }

    /** In a share group there is neither a partition to hold nor an error handler, and payloads come without their bytes. */
    private List<Finding> connectShared(InboxListener listener, SharedContainer container, List<HandlerPlan> plans) {
        List<Finding> findings = new ArrayList<>();
        ListenerReport report = new ListenerReport(listener, defaults);
        TopicIds topics = new TopicIds(resources.admins(), container.connection());
        HeldPartitions held = new HeldPartitions(listener.id(), false, deliveries, resources.scheduler());
        AttemptNumber attemptNumber = new AttemptNumber(false, listener.role());
        boolean acknowledges = container.leaveAcknowledgements();
        for (HandlerPlan plan : plans) {
            findings.addAll(checkFingerprint(plan, null));
            MessageIdentity identity = identity(listener, plan, null, topics, null);
            RecordInbox recordInbox = recordInbox(listener, plan, identity, held, attemptNumber, null);
            plan.handler()
                    .connect(new SharedRecords(
                            listener.id(),
                            recordInbox,
                            deliveries,
                            acknowledges,
                            resources.scheduler(),
                            LONGEST_SILENCE));
            registrations.add(() -> register(plan));
            report.log(plan, FingerprintMode.NONE);
        }
        return findings;
    }

    private static List<Finding> checkFingerprint(HandlerPlan plan, @Nullable WireBytes bytes) {
        return bytes == null
                        && !plan.tracksPositions()
                        && plan.declared().onMissingId() == MissingIdPolicy.USE_FINGERPRINT
                ? List.of(ListenerRefusals.noFingerprint(plan.handler().declaration()))
                : List.of();
    }

    private RecordIdentity identity(
            InboxListener listener,
            HandlerPlan plan,
            @Nullable WireBytes bytes,
            TopicIds topics,
            @Nullable ReplaySetup replay) {
        return new RecordIdentity(
                plan.search(),
                plan.scope(),
                plan.declared().onMissingId(),
                defaults.fingerprint(),
                bytes,
                topics,
                listener.role(),
                replay != null);
    }

    private RecordInbox recordInbox(
            InboxListener listener,
            HandlerPlan plan,
            MessageIdentity identity,
            HeldPartitions held,
            AttemptNumber attemptNumber,
            @Nullable ReplaySetup replay) {
        return new RecordInbox(
                listener.id(),
                replay == null ? plan.inbox() : replay.inbox(plan.inbox()),
                plan.settings(),
                plan.names(),
                identity,
                held,
                deliveries,
                observer,
                AttemptParameter.isIn(plan.handler().declaration().method()) ? attemptNumber : null,
                replay == null ? FailedDeliveries.NONE : replay);
    }

    private boolean needsBytes(List<HandlerPlan> plans) {
        return plans.stream()
                .filter(plan -> !plan.tracksPositions())
                .anyMatch(plan -> defaults.fingerprint() != FingerprintMode.NONE
                        || plan.declared().onMissingId() == MissingIdPolicy.USE_FINGERPRINT);
    }

    /**
     * Asks the brokers for the topics whose positions are tracked, each once: not before the application has created its
     * topics.
     */
    List<Finding> checkTopics() {
        List<Finding> findings = topicChecks.stream()
                .flatMap(check -> check.get().stream())
                .distinct()
                .toList();
        topicChecks.clear();
        return findings;
    }

    /** Makes the consumers that are known by name known to their inboxes. */
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
