package io.inboxkit.testkit;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Decides over {@link NeedsRabbitMq}. */
final class RabbitMqCondition implements ExecutionCondition {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        boolean node = AnnotationSupport.findAnnotation(context.getElement(), NeedsRabbitMq.class)
                .map(NeedsRabbitMq::node)
                .orElse(false);
        if (node ? RabbitNode.isInstalled() : RabbitService.isRabbitMq()) {
            return ConditionEvaluationResult.enabled("There is a RabbitMQ");
        }
        String reason = context.getDisplayName() + " needs RabbitMQ" + (node ? " that it can stop" : "")
                + ": install rabbitmq-server" + (node ? "" : " or set INBOX_TEST_RABBITMQ_URI");
        if ("true".equals(ServiceSource.setting("CI"))) {
            throw new IllegalStateException(reason);
        }
        System.out.println("Skipped: " + reason);
        return ConditionEvaluationResult.disabled(reason);
    }
}
