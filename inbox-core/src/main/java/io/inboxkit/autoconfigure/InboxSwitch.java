package io.inboxkit.autoconfigure;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** The condition of {@link ConditionalOnInboxSwitch}. */
final class InboxSwitch implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        String property =
                metadata.getAnnotations().get(ConditionalOnInboxSwitch.class).getString("value");
        return Binder.get(context.getEnvironment())
                .bind(property, Boolean.class)
                .orElse(true);
    }
}
