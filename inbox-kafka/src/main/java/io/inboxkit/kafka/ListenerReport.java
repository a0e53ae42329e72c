package io.inboxkit.kafka;

import io.inboxkit.FingerprintMode;
import io.inboxkit.ListenerDefaults;
import io.inboxkit.MissingIdPolicy;
import io.inboxkit.UndeliverableAction;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;

/** What a listener says at its start: one line of what it does, and what is not quite right. */
final class ListenerReport {

    private static final Logger LOG = LoggerFactory.getLogger("io.inboxkit.kafka");

    private final Set<String> lines = new HashSet<>();
    private final InboxListener listener;
    private final ListenerDefaults defaults;

    /** For a listener in a share group, where the broker settles what nobody handles. */
    ListenerReport(InboxListener listener, ListenerDefaults defaults) {
        this.listener = listener;
        this.defaults = defaults;
    }

    /** To be made before the error handling of the container is wrapped. */
    ListenerReport(
            InboxListener listener,
            AbstractMessageListenerContainer<?, ?> container,
            ListenerDefaults defaults,
            ListableBeanFactory beans) {
        this.listener = listener;
        this.defaults = defaults;
        if (container.getCommonErrorHandler() == null) {
            warnOfRefused();
        }
        if (container.getContainerProperties().getKafkaAwareTransactionManager() != null) {
            LOG.warn(
                    "The container of listener '{}' has a Kafka transaction manager: its Kafka transaction is committed after"
                            + " the one of the inbox, so a crash between them loses what the handler has sent to Kafka."
                            + " Remove the transaction manager from the container, and send through an outbox",
                    listener.id());
        }
        if (sendsInTransactions(beans) && !readsCommitted(container)) {
            LOG.warn(
                    "The application sends in Kafka transactions, but listener '{}' also reads what was never committed, and"
                            + " gives it its one effect. Set spring.kafka.consumer.isolation-level=read_committed",
                    listener.id());
        }
    }

    private void warnOfRefused() {
        if (defaults.withoutDeadLetter() == UndeliverableAction.HOLD) {
            LOG.warn(
                    "Listener '{}' has no error handler of the application's own, so refused messages, such as those without"
                            + " an id, have nowhere to go: they are held with their partition, and health is DOWN, until"
                            + " they can go on. Give the container factory a CommonErrorHandler bean, such as a"
                            + " DefaultErrorHandler with a DeadLetterPublishingRecoverer",
                    listener.id());
        } else {
            LOG.warn(
                    "Listener '{}' has no error handler of the application's own and inbox.reject.without-dead-letter=DROP:"
                            + " refused messages, such as those without an id, are logged and lost. Give the container"
                            + " factory a CommonErrorHandler bean, such as a DefaultErrorHandler with a"
                            + " DeadLetterPublishingRecoverer",
                    listener.id());
        }
    }

    private static boolean sendsInTransactions(ListableBeanFactory beans) {
        for (ProducerFactory<?, ?> factory :
                beans.getBeansOfType(ProducerFactory.class, true, false).values()) {
            if (factory.transactionCapable()) {
                return true;
            }
        }
        return false;
    }

    private static boolean readsCommitted(AbstractMessageListenerContainer<?, ?> container) {
        Map<String, Object> configured = ContainerConsumerFactory.of(container).getConfigurationProperties();
        Object level = ContainerConsumerFactory.overrides(container)
                .getOrDefault(
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG, configured.get(ConsumerConfig.ISOLATION_LEVEL_CONFIG));
        return level != null && "read_committed".equals(level.toString().toLowerCase(Locale.ROOT));
    }

    /** Handlers of one listener that have the same to say say it once; a retry topic says nothing new. */
    void log(HandlerPlan plan, FingerprintMode fingerprint) {
        plan.warnings().forEach(LOG::warn);
        if (plan.tracksPositions()) {
            if (!plan.handler().declaration().annotation().retention().isEmpty()) {
                LOG.warn(
                        "Listener '{}' has a retention, which has no effect with track = POSITION: there are no ids to be kept",
                        listener.id());
            }
            log(
                    plan,
                    "consumer " + plan.names() + ", no ids (track = POSITION: topic id, partition and offset), mode "
                            + plan.declared().mode()
                            + ", one row for each partition, without retention, fingerprint none");
            return;
        }
        if (plan.declared().onMissingId() == MissingIdPolicy.USE_FINGERPRINT) {
            LOG.warn(
                    "Listener '{}' takes the fingerprint of a message without an id for its id: two genuine messages with"
                            + " equal payloads are merged into one. Let the producer set ids",
                    listener.id());
        }
        String line = "consumer " + plan.names() + ", id from " + plan.search() + " (missing: "
                + plan.declared().onMissingId() + "), mode " + plan.declared().mode() + ", retention "
                + DurationFormatterUtils.print(plan.declared().retention(), DurationFormat.Style.COMPOSITE)
                + ", fingerprint "
                + (fingerprint != defaults.fingerprint()
                        ? "none, since the bytes of the payload cannot be had"
                        : fingerprint.name().toLowerCase(Locale.ROOT));
        log(plan, line);
    }

    private void log(HandlerPlan plan, String line) {
        if (listener.role() != InboxListener.Role.RETRY && lines.add(line)) {
            LOG.info("Listener '{}', {}: {}", listener.id(), plan.handler().declaration(), line);
        }
    }
}
