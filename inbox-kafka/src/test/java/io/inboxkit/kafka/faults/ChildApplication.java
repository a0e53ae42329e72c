package io.inboxkit.kafka.faults;

import io.inboxkit.kafka.faults.PaymentsApplication.AfterBooking;
import io.inboxkit.testkit.KillPoint;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The application in a JVM that a test kills or freezes. */
@Configuration(proxyBeanMethods = false)
@Import(PaymentsApplication.class)
class ChildApplication {

    /** A payment whose handler takes a while, so that it can be frozen in it. */
    static final String SLOW = "slow";

    /** The line that says that the handler of the slow payment has booked and not committed. */
    static final String IN_SLOW_HANDLER = "IN SLOW HANDLER";

    static final String IN_HANDLER = "in-handler";

    public static void main(String[] arguments) {
        SpringApplication.run(ChildApplication.class, arguments);
    }

    @Bean
    AfterBooking afterBooking(JdbcClient jdbc) {
        return payment -> {
            KillPoint.reached(IN_HANDLER);
            if (payment.equals(SLOW)) {
                System.out.println(IN_SLOW_HANDLER);
                jdbc.sql("select 1 from pg_sleep(2)").query(Integer.class).single();
            }
        };
    }

    /** Around the pool, where it sees what the library does without the library knowing. */
    @Bean
    static BeanPostProcessor killPoints() {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String beanName) {
                return bean instanceof DataSource pool ? new KillPointDataSource(pool) : bean;
            }
        };
    }
}
