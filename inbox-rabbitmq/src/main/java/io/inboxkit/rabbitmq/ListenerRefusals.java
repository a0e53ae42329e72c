package io.inboxkit.rabbitmq;

import io.inboxkit.ConsumerDeclaration;
import io.inboxkit.HandlerDeclaration;
import io.inboxkit.HandlerSignature;
import io.inboxkit.InboxConfigurationException.Finding;
import io.inboxkit.MissingIdPolicy;
import io.inboxkit.ProcessingMode;
import io.inboxkit.Tracking;
import java.util.ArrayList;
import java.util.List;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.MultiMethodRabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareBatchMessageListener;

/** Everything that an annotated listener must not be, or ask for; each stops the start. */
final class ListenerRefusals {

    private ListenerRefusals() {}

    static List<Finding> ofContainer(InboxListener listener, MessageListenerContainer created) {
        List<Finding> findings = new ArrayList<>();
        String name = "The listener '" + listener.id() + "'";
        if (!(created instanceof AbstractMessageListenerContainer container)) {
            findings.add(unsupported(
                    name + " has a container of " + created.getClass().getSimpleName()
                            + ", such as those of streams or of" + " AMQP 1.0",
                    "Use a SimpleRabbitListenerContainerFactory or a DirectRabbitListenerContainerFactory"));
            return findings;
        }
        if (container.getMessageListener() instanceof ChannelAwareBatchMessageListener) {
            findings.addAll(ofBatch(name, listener, container));
        }
        return findings;
    }

    private static List<Finding> ofBatch(
            String name, InboxListener listener, AbstractMessageListenerContainer container) {
        List<Finding> findings = new ArrayList<>();
        if (!(container.getMessageListener() instanceof InboxBatchAdapter)) {
            findings.add(new Finding(
                    name + " is a batch listener with an adapter of its own, which the inbox does not know",
                    "Remove the adapter provider of its endpoint"));
        }
        if (listener.endpoint() instanceof MultiMethodRabbitListenerEndpoint) {
            findings.add(unsupported(
                    name + " is a batch listener with several handlers",
                    "Let one method take the lists: @RabbitListener on a method"));
        }
        for (InboxHandlerMethod intercepted : listener.handlers()) {
            HandlerDeclaration handler = intercepted.declaration();
            if (AttemptParameter.isIn(handler.method())) {
                findings.add(AttemptParameter.ofList(handler));
            }
            if (handler.method().getReturnType() != void.class) {
                findings.add(new Finding(
                        "The handler " + handler + " of a batch listener returns a value, but a batch has no replies",
                        "Let it return nothing"));
            }
        }
        return findings;
    }

    static List<Finding> ofHandler(HandlerDeclaration handler, ConsumerDeclaration declared) {
        List<Finding> findings = new ArrayList<>(HandlerSignature.check(handler.method(), handler.type()));
        if (declared.mode() == ProcessingMode.LEASED) {
            findings.add(unsupported(handler, "mode = LEASED", "Leave mode out: id and effect are in one transaction"));
        }
        if (declared.track() == Tracking.POSITION) {
            findings.add(new Finding(
                    "@IdempotentConsumer on " + handler
                            + " asks for track = POSITION, but a message in RabbitMQ has no position that it keeps",
                    "Leave track out: the ids of messages are remembered"));
        }
        if (declared.onMissingId() == MissingIdPolicy.USE_POSITION) {
            findings.add(new Finding(
                    "A message without an id for " + handler + " shall be known by its position (onMissingId or"
                            + " inbox.message-id.on-missing is USE_POSITION), but a message in RabbitMQ has no position"
                            + " that it keeps",
                    "Use REJECT, PROCESS or USE_FINGERPRINT as onMissingId of @IdempotentConsumer on it"));
        }
        if (declared.storeReply()) {
            findings.add(
                    unsupported(handler, "storeReply = true", "Leave storeReply out: a duplicate has no reply then"));
        }
        findings.addAll(AttemptParameter.check(handler));
        return findings;
    }

    static Finding noName(HandlerDeclaration handler, String queue) {
        return new Finding(
                "The listener " + handler + " reads " + queue + ", so its consumer has no stable name",
                "Give it a name by @IdempotentConsumer(consumer = …), or the queue a name of its own");
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
