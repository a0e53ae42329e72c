package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.inboxkit.IdempotentConsumer;
import io.inboxkit.InboxConfigurationException;
import io.inboxkit.kafka.ListenerApplication.Effects;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.kafka.annotation.KafkaListener;

/** Beans that are created or wrapped in an order that its author did not think of. */
class WrappedListenersIT {

    @Test
    void wrapperThatComesAfterTheListenerWasFoundTakesNothingFromTheInbox() {
        try (var application = ListenerApplication.start(LateWrapper.class)) {
            application.send("m1", "one");
            application.send("m1", "one");
            application.send("m2", "two");
            application.awaitSettled("billing");

            assertThat(application.effects()).containsExactly("one", "two");
        }
    }

    @Test
    void listenerThatIsCreatedTooEarlyToBeFoundStopsTheStart() {
        assertThatThrownBy(() -> ListenerApplication.start(CreatedEarly.class))
                .hasStackTraceContaining("did not pass the inbox")
                .hasRootCauseInstanceOf(InboxConfigurationException.class);
    }

    static class Listener {

        private final Effects effects;

        Listener(Effects effects) {
            this.effects = effects;
        }

        @KafkaListener(topics = "${topic}", groupId = "billing")
        @IdempotentConsumer
        public void on(String payload) {
            effects.add(payload);
        }
    }

    @Import(Listener.class)
    static class LateWrapper {

        @Bean
        static BeanPostProcessor wrapping() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    if (!(bean instanceof Listener)) {
                        return bean;
                    }
                    ProxyFactory wrapper = new ProxyFactory(bean);
                    wrapper.setProxyTargetClass(true);
                    wrapper.addAdvice((MethodInterceptor) MethodInvocation::proceed);
                    return wrapper.getProxy();
                }
            };
        }
    }

    static class CreatedEarly {

        @Bean
        static Lonely lonely() {
            return new Lonely();
        }

        @Bean
        static Impatient impatient(Lonely lonely) {
            return new Impatient(lonely);
        }
    }

    static class Lonely {

        @KafkaListener(topics = "${topic}", groupId = "billing")
        @IdempotentConsumer
        void on(String payload) {}
    }

    /** Is created before the post-processor of listeners, and its listener with it. */
    record Impatient(Lonely lonely) implements BeanPostProcessor, PriorityOrdered {

        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }
    }
}
