package io.inboxkit.rabbitmq;

import io.inboxkit.HandlerDeclaration;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;

/** A handler method with the inbox around it. What the adapter does with its result or exception is outside. */
final class InboxHandlerMethod extends InvocableHandlerMethod {

    private final InvocableHandlerMethod handler;
    private final HandlerDeclaration declaration;
    private volatile @Nullable MessageInbox inbox;

    InboxHandlerMethod(InvocableHandlerMethod handler, HandlerDeclaration declaration) {
        super(handler);
        this.handler = handler;
        this.declaration = declaration;
    }

    HandlerDeclaration declaration() {
        return declaration;
    }

    /** Only after its container has been created is known what the inbox needs, such as its queues. */
    void connect(MessageInbox messageInbox) {
        inbox = messageInbox;
    }

    @Override
    public @Nullable Object invoke(Message<?> message, @Nullable Object... providedArgs) throws Exception {
        MessageInbox connected = inbox;
        if (connected == null) {
            throw new IllegalStateException("The handler " + declaration
                    + " was called although its start-up checks have not passed. Look for the failure of the start");
        }
        // In a batch the adapter provides the channel alone; what is delivered knows the adapter's caller.
        return MessageDelivery.find(org.springframework.amqp.core.Message.class, providedArgs) == null
                ? BatchInbox.invoke(handler, message, providedArgs)
                : connected.handle(new MessageDelivery(handler, message, providedArgs));
    }
}
