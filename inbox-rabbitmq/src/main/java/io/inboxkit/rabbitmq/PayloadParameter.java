package io.inboxkit.rabbitmq;

import com.rabbitmq.client.Channel;
import io.inboxkit.InboxAttempt;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.annotation.Payload;

/** The parameter that takes the payload: expressions may call the payload by its name. */
final class PayloadParameter {

    private static final Set<Class<?>> OTHERS = Set.of(
            Channel.class,
            org.springframework.amqp.core.Message.class,
            MessageProperties.class,
            InboxAttempt.class,
            Message.class,
            MessageHeaders.class);

    private PayloadParameter() {}

    /** Its name, or {@code null} if there is none or the class was compiled without names. */
    static @Nullable String nameOf(Method method) {
        @Nullable
        String[] names = DefaultParameterNameDiscoverer.getSharedInstance().getParameterNames(method);
        Parameter[] parameters = method.getParameters();
        String first = null;
        for (int i = 0; names != null && i < parameters.length; i++) {
            if (parameters[i].isAnnotationPresent(Payload.class)) {
                return names[i];
            }
            if (first == null && mayBe(parameters[i])) {
                first = names[i];
            }
        }
        return first;
    }

    /** Whether a parameter without {@code @Payload} can take the payload. */
    static boolean mayBe(Parameter parameter) {
        return !parameter.isAnnotationPresent(Header.class)
                && !parameter.isAnnotationPresent(Headers.class)
                && OTHERS.stream().noneMatch(other -> other.isAssignableFrom(parameter.getType()));
    }
}
