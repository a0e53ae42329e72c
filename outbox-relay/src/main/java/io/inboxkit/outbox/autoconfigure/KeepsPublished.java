package io.inboxkit.outbox.autoconfigure;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches where published messages are kept, read as the property itself is. */
final class KeepsPublished implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        return Binder.get(context.getEnvironment())
                .bind("outbox.relay.keep-published", Duration.class)
                .map(duration -> !duration.isZero())
                .orElse(false);
    }
}
