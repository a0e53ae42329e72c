package io.inboxkit.kafka;

import io.inboxkit.HandlerDeclaration;
import io.inboxkit.IdempotentConsumer;
import io.inboxkit.InboxConfigurationException.Finding;
import io.inboxkit.Tracking;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.springframework.kafka.core.ShareConsumerFactory;
import org.springframework.kafka.listener.AbstractShareKafkaMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.ContainerProperties.ShareAckMode;
import org.springframework.util.ReflectionUtils;

/**
 * The container of a share group that has been created and not yet started.
 *
 * @param container the container
 */
record SharedContainer(AbstractShareKafkaMessageListenerContainer<?, ?> container) {

    /** What an annotated listener in a share group must not be, or ask for. */
    List<Finding> check(InboxListener listener) {
        List<Finding> findings = new ArrayList<>();
        String name = "The listener '" + listener.id() + "'";
        if (mode() == ShareAckMode.IMPLICIT) {
            findings.add(new Finding(
                    name
                            + " is in a share group with ShareAckMode.IMPLICIT, which accepts a record whatever its handler has"
                            + " done, so a failure would lose it",
                    "Set ContainerProperties.shareAckMode of its container factory to EXPLICIT or MANUAL"));
        }
        if (!listener.allHandlersAnnotated()) {
            findings.add(new Finding(
                    name
                            + " is in a share group and has handlers without @IdempotentConsumer beside annotated ones, but all"
                            + " must be acknowledged in the same way",
                    "Annotate the class, or put the other handlers into a listener of their own"));
        }
        for (InboxHandlerMethod handler : listener.handlers()) {
            HandlerDeclaration declaration = handler.declaration();
            IdempotentConsumer annotation = declaration.annotation();
            if (annotation.track() == Tracking.POSITION) {
                findings.add(new Finding(
                        "@IdempotentConsumer on " + declaration
                                + " asks for track = POSITION in a share group, which delivers"
                                + " the records of a partition in no order",
                        "Leave track out: the ids of messages need no order"));
            }
            if (annotation.storeReply()) {
                findings.add(new Finding(
                        "@IdempotentConsumer on " + declaration + " asks for storeReply = true in a share group, whose"
                                + " containers send no replies",
                        "Leave storeReply out"));
            }
        }
        return findings;
    }

    /**
     * Leaves the acknowledgement of records to the listener. Only so can a record be kept that could not be decided: a container that
     * acknowledges itself knows nothing but to accept, release and reject.
     *
     * @return whether the container would have accepted a record by itself when its handler has returned
     */
    boolean leaveAcknowledgements() {
        boolean itself = mode() == ShareAckMode.EXPLICIT;
        properties().setShareAckMode(ShareAckMode.MANUAL);
        return itself;
    }

    /** How the container connects, in the form that {@link TopicAdmins} takes. */
    Map<String, Object> connection() {
        Field field =
                ReflectionUtils.findField(AbstractShareKafkaMessageListenerContainer.class, "shareConsumerFactory");
        if (field != null) {
            ReflectionUtils.makeAccessible(field);
            if (ReflectionUtils.getField(field, container) instanceof ShareConsumerFactory<?, ?> factory) {
                return TopicAdmins.connection(factory.getConfigurationProperties(), new Properties());
            }
        }
        throw new IllegalStateException(
                "This version of spring-kafka is not supported: the consumer factory of a share group"
                        + " cannot be read. Use the spring-kafka version of a supported Spring Boot");
    }

    private ShareAckMode mode() {
        return properties().getShareAckMode();
    }

    private ContainerProperties properties() {
        return container.getContainerProperties();
    }
}
