package io.inboxkit.rabbitmq;

import io.inboxkit.FingerprintMode;
import io.inboxkit.ListenerDefaults;
import io.inboxkit.MissingIdPolicy;
import io.inboxkit.UndeliverableAction;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/** What a listener says at its start: one line of what it does, and what is not quite right. */
final class ListenerReport {

    private static final Logger LOG = LoggerFactory.getLogger("io.inboxkit.rabbitmq");

    private final Set<String> lines = new HashSet<>();
    private final InboxListener listener;
    private final ListenerDefaults defaults;

    ListenerReport(InboxListener listener, AbstractMessageListenerContainer container, ListenerDefaults defaults) {
        this.listener = listener;
        this.defaults = defaults;
        if (container.getAcknowledgeMode().isAutoAck()) {
            LOG.warn(
                    "Listener '{}' has acknowledge mode NONE: the broker forgets a message when it sends it, so a crash, and"
                            + " a handler that fails, loses it. Set the acknowledge mode to AUTO",
                    listener.id());
        }
    }

    /** Where the broker can be asked already. */
    void warnOfRefused(List<String> queues, DeadLetterQueues deadLetters) {
        for (String queue : queues) {
            if (deadLetters.takes(queue)) {
                continue;
            }
            if (defaults.withoutDeadLetter() == UndeliverableAction.HOLD) {
                LOG.warn(
                        "Queue '{}' of listener '{}' has no dead-letter exchange, as far as a client can tell, so refused"
                                + " messages, such as those without an id, have nowhere to go: they are held with those"
                                + " behind them, and health is DOWN, until they can go on. Declare the queue with"
                                + " x-dead-letter-exchange; where a policy sets one, set"
                                + " inbox.reject.without-dead-letter=DROP",
                        queue,
                        listener.id());
            } else {
                LOG.warn(
                        "Queue '{}' of listener '{}' has no dead-letter exchange, as far as a client can tell, and"
                                + " inbox.reject.without-dead-letter=DROP: refused messages, such as those without an id,"
                                + " are logged and lost, unless a policy sets such an exchange. Declare the queue with"
                                + " x-dead-letter-exchange",
                        queue,
                        listener.id());
            }
        }
    }

    /** Handlers of one listener that have the same to say say it once. */
    void log(HandlerPlan plan) {
        plan.warnings().forEach(LOG::warn);
        if (plan.declared().onMissingId() == MissingIdPolicy.USE_FINGERPRINT) {
            LOG.warn(
                    "Listener '{}' takes the fingerprint of a message without an id for its id: two genuine messages with"
                            + " equal payloads are merged into one. Let the producer set ids",
                    listener.id());
        }
        FingerprintMode fingerprint = defaults.fingerprint();
        String line = "consumer " + plan.names() + ", id from " + plan.search() + " (missing: "
                + plan.declared().onMissingId() + "), mode " + plan.declared().mode() + ", retention "
                + DurationFormatterUtils.print(plan.declared().retention(), DurationFormat.Style.COMPOSITE)
                + ", fingerprint " + fingerprint.name().toLowerCase(Locale.ROOT);
        if (lines.add(line)) {
            LOG.info("Listener '{}', {}: {}", listener.id(), plan.handler().declaration(), line);
        }
    }
}
