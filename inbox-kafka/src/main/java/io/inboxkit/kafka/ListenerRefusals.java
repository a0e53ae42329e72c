package io.inboxkit.kafka;

import io.inboxkit.ConsumerDeclaration;
import io.inboxkit.HandlerDeclaration;
import io.inboxkit.HandlerSignature;
import io.inboxkit.InboxConfigurationException.Finding;
import io.inboxkit.ProcessingMode;
import java.util.ArrayList;
import java.util.List;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.AbstractShareKafkaMessageListenerContainer;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.MessageListenerContainer;

/** Everything that an annotated listener must not be, or ask for; each stops the start. */
final class ListenerRefusals {

    private ListenerRefusals() {}

    static List<Finding> ofContainer(InboxListener listener, MessageListenerContainer created) {
        List<Finding> findings = new ArrayList<>();
        String name = "The listener '" + listener.id() + "'";
        if (created instanceof AbstractShareKafkaMessageListenerContainer<?, ?> shared) {
            return new SharedContainer(shared).check(listener);
        }
        if (!(created instanceof AbstractMessageListenerContainer<?, ?> container)) {
            findings.add(unsupported(
                    name + " has a container of " + created.getClass().getSimpleName(),
                    "Use a ConcurrentKafkaListenerContainerFactory or a ShareKafkaListenerContainerFactory"));
            return findings;
        }
        if (listener.endpoint().isBatchListener()
                || container.getContainerProperties().getMessageListener() instanceof BatchMessageListener) {
            findings.add(unsupported(
                    name + " is a batch listener",
                    "Let it take single records: batch = \"false\", and one record or payload"));
            listener.handlers().stream()
                    .map(InboxHandlerMethod::declaration)
                    .filter(handler -> AttemptParameter.isIn(handler.method()))
                    .forEach(handler -> findings.add(AttemptParameter.ofList(handler)));
        }
        if (container.getContainerProperties().isAsyncAcks()) {
            findings.add(new Finding(
                    name + " has asyncAcks, which acknowledges records while earlier ones are still open",
                    "Set ContainerProperties.asyncAcks to false: the inbox acknowledges each record after its commit"));
        }
        return findings;
    }

    static List<Finding> ofHandler(HandlerDeclaration handler, ConsumerDeclaration declared) {
        List<Finding> findings = new ArrayList<>(HandlerSignature.check(handler.method(), handler.type()));
        if (declared.mode() == ProcessingMode.LEASED) {
            findings.add(unsupported(handler, "mode = LEASED", "Leave mode out: id and effect are in one transaction"));
        }
        if (declared.storeReply()) {
            findings.add(
                    unsupported(handler, "storeReply = true", "Leave storeReply out: a duplicate has no reply then"));
        }
        findings.addAll(AttemptParameter.check(handler));
        return findings;
    }

    static Finding noName(HandlerDeclaration handler) {
        return new Finding(
                "The listener " + handler + " has no group id, so its consumer has no stable name",
                "Give it a name by @IdempotentConsumer(consumer = …), or a group id");
    }

    static Finding noFingerprint(HandlerDeclaration handler) {
        return new Finding(
                "The listener " + handler
                        + " uses the fingerprint of messages without an id, but the bytes of its payloads"
                        + " cannot be had: its consumer factory is not a DefaultKafkaConsumerFactory, or it is in a share group",
                "Use a DefaultKafkaConsumerFactory and no share group, or another onMissingId");
    }

    static Finding wrongAttribute(HandlerDeclaration handler, IllegalArgumentException reason) {
        return new Finding(
                "@IdempotentConsumer on " + handler + ": " + reason.getMessage(),
                "Correct the attribute of the annotation");
    }

    private static Finding unsupported(HandlerDeclaration handler, String what, String remedy) {
        return unsupported("@IdempotentConsumer on " + handler + " asks for " + what, remedy);
    }

    private static Finding unsupported(String what, String remedy) {
        return new Finding(what + ", which this version of the inbox does not support", remedy);
    }
}
