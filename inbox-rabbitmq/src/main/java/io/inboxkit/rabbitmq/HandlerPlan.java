package io.inboxkit.rabbitmq;

import io.inboxkit.ConsumerDeclaration;
import io.inboxkit.ConsumerSettings;
import io.inboxkit.Inbox;
import io.inboxkit.MessageExpression;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a handler needs, when everything is right with it.
 *
 * @param search finds the ids of its messages
 * @param scope the expression of their scope, or {@code null}
 * @param warnings what is not quite right
 */
record HandlerPlan(
        InboxHandlerMethod handler,
        ConsumerDeclaration declared,
        Inbox inbox,
        ConsumerSettings settings,
        ConsumerNames names,
        MessageIdLookup search,
        @Nullable MessageExpression scope,
        List<String> warnings) {}
