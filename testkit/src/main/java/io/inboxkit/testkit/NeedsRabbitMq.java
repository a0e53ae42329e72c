package io.inboxkit.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test of what only RabbitMQ has, such as quorum queues. Where there is none it is skipped, and says so; in continuous
 * integration ({@code CI=true}) it fails.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RabbitMqCondition.class)
public @interface NeedsRabbitMq {

    /** Whether the test starts a {@link RabbitNode}, so that an address or a container is not enough. */
    boolean node() default false;
}
