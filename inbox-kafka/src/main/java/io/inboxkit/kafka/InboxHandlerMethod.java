package io.inboxkit.kafka;

import io.inboxkit.HandlerDeclaration;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;

/** A handler method with the inbox around it. What the adapter does with its result or exception is outside. */
final class InboxHandlerMethod extends InvocableHandlerMethod {

    private final InvocableHandlerMethod handler;
    private final HandlerDeclaration declaration;
    private volatile @Nullable DeliveryHandling inbox;

    InboxHandlerMethod(InvocableHandlerMethod handler, HandlerDeclaration declaration) {
        super(handler);
        this.handler = handler;
        this.declaration = declaration;
    }

    HandlerDeclaration declaration() {
        return declaration;
    }

    /** Only after its container has been created is known what the inbox needs, such as the group. */
    void connect(DeliveryHandling handling) {
        inbox = handling;
    }

    @Override
    public @Nullable Object invoke(Message<?> message, @Nullable Object... providedArgs) throws Exception {
        DeliveryHandling connected = inbox;
        if (connected == null) {
            throw new IllegalStateException("The handler " + declaration
                    + " was called although its start-up checks have not passed. Look for the failure of the start");
        }
        return connected.handle(new RecordDelivery(handler, message, providedArgs));
    }
}
