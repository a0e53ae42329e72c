package io.inboxkit.kafka;

import io.inboxkit.ConsumerDeclaration;
import io.inboxkit.HandlerDeclaration;
import io.inboxkit.IdempotentConsumer;
import io.inboxkit.InboxConfigurationException.Finding;
import io.inboxkit.MissingIdPolicy;
import io.inboxkit.ProcessingMode;
import io.inboxkit.ReusedIdPolicy;
import io.inboxkit.Tracking;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.kafka.annotation.RetryableTopic;

/** What a listener that tracks positions must not be, or ask for; each stops the start. */
final class PositionRefusals {

    private static final Logger LOG = LoggerFactory.getLogger("io.inboxkit.kafka");

    private PositionRefusals() {}

    static List<Finding> ofHandler(HandlerDeclaration handler, ConsumerDeclaration declared, InboxListener.Role role) {
        List<Finding> findings = new ArrayList<>();
        if (declared.track() != Tracking.POSITION) {
            return findings;
        }
        IdempotentConsumer annotation = handler.annotation();
        if (declared.mode() == ProcessingMode.LEASED) {
            findings.add(together(handler, "mode = LEASED", "a lease is of one message, not of a partition"));
        }
        if (declared.storeReply()) {
            findings.add(together(handler, "storeReply = true", "replies are stored with ids"));
        }
        String noIds = "messages are known by their positions, not by ids";
        if (declared.messageId() != null) {
            findings.add(together(handler, "messageId", noIds));
        }
        if (declared.scope() != null) {
            findings.add(together(handler, "scope", noIds));
        }
        if (annotation.onMissingId() != MissingIdPolicy.DEFAULT) {
            findings.add(together(handler, "onMissingId", noIds));
        }
        if (annotation.onReusedId() != ReusedIdPolicy.DEFAULT) {
            findings.add(together(handler, "onReusedId", noIds));
        }
        if (role == InboxListener.Role.RETRY || (role == InboxListener.Role.MAIN && isRetryable(handler))) {
            findings.add(together(
                    handler,
                    "@RetryableTopic",
                    "a message that waits on a retry topic is overtaken by its successors, whose position says that it was"
                            + " processed"));
        }
        return findings;
    }

    /** What the broker says about the topics of such a listener, of those that are known by name. */
    static List<Finding> ofTopics(
            HandlerPlan plan, List<String> topics, TopicAdmins admins, Map<String, Object> connection) {
        List<Finding> findings = new ArrayList<>();
        for (String topic : topics) {
            try {
                admins.topicId(connection, topic);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return findings;
            } catch (ExecutionException | TimeoutException | KafkaException e) {
                Throwable reason = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
                if (isTransient(reason)) {
                    LOG.warn(
                            "The broker does not tell the id of topic '{}' at the moment, so it is not known whether {} can"
                                    + " track its positions; its records wait until the broker tells it",
                            topic,
                            plan.handler().declaration(),
                            e);
                } else {
                    findings.add(undescribed(plan.handler().declaration(), topic, reason));
                }
            }
        }
        return findings;
    }

    private static boolean isTransient(Throwable reason) {
        return (reason instanceof RetriableException && !(reason instanceof UnknownTopicOrPartitionException))
                || reason instanceof TimeoutException;
    }

    private static boolean isRetryable(HandlerDeclaration handler) {
        return Stream.of(handler.method(), handler.type())
                .anyMatch(element -> MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY)
                        .isPresent(RetryableTopic.class));
    }

    private static Finding together(HandlerDeclaration handler, String what, String why) {
        return new Finding(
                "@IdempotentConsumer on " + handler + " has track = POSITION together with " + what + ": " + why,
                "Remove " + what + ", or remove track = POSITION to know messages by their ids");
    }

    private static Finding undescribed(HandlerDeclaration handler, String topic, @Nullable Throwable reason) {
        return new Finding(
                "@IdempotentConsumer on " + handler
                        + " has track = POSITION, but the broker does not tell the id of topic '"
                        + topic + "' (" + reason + "), without which a topic that is deleted and created again would be"
                        + " taken for its predecessor",
                "Create the topic and give the consumer's principal the right to describe it, on a broker of Kafka 2.8 or"
                        + " newer; or remove track = POSITION to know messages by their ids");
    }
}
