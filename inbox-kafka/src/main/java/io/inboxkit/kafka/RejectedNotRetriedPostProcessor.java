package io.inboxkit.kafka;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.kafka.retrytopic.DestinationTopicResolver;

/** Sends refused messages of {@code @RetryableTopic} listeners to the dead-letter topic without a single retry. */
final class RejectedNotRetriedPostProcessor implements BeanPostProcessor {

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof DestinationTopicResolver) {
            ErrorHandling.neverRetryRejected(bean);
        }
        return bean;
    }
}
