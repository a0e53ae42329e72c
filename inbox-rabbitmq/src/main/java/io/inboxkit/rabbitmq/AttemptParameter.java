package io.inboxkit.rabbitmq;

import io.inboxkit.HandlerDeclaration;
import io.inboxkit.InboxAttempt;
import io.inboxkit.InboxConfigurationException.Finding;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.List;
import org.springframework.messaging.handler.annotation.Payload;

/** The parameter of a handler that takes its {@link InboxAttempt}. */
final class AttemptParameter {

    private AttemptParameter() {}

    static boolean isIn(Method method) {
        return List.of(method.getParameterTypes()).contains(InboxAttempt.class);
    }

    /** What is wrong with its place: the framework takes the first parameter without annotation for the payload. */
    static List<Finding> check(HandlerDeclaration handler) {
        boolean attempt = false;
        for (Parameter parameter : handler.method().getParameters()) {
            if (parameter.isAnnotationPresent(Payload.class)) {
                return List.of();
            }
            if (parameter.getType() == InboxAttempt.class) {
                attempt |= parameter.getAnnotations().length == 0;
            } else if (PayloadParameter.mayBe(parameter)) {
                return attempt ? List.of(tooEarly(handler)) : List.of();
            }
        }
        return List.of();
    }

    private static Finding tooEarly(HandlerDeclaration handler) {
        return new Finding(
                "The handler " + handler
                        + " has InboxAttempt before its payload, so converters would take InboxAttempt for the"
                        + " type of the payload",
                "Put InboxAttempt behind the payload, or annotate the payload with @Payload");
    }

    /** A list is many messages, each with an attempt of its own. */
    static Finding ofList(HandlerDeclaration handler) {
        return new Finding(
                "The handler " + handler
                        + " takes a list of messages and an InboxAttempt, but each message has an attempt of its"
                        + " own",
                "Remove InboxAttempt, or let the handler take single messages");
    }
}
