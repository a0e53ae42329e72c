package io.inboxkit.demo;

import java.io.IOException;
import java.io.OutputStream;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What the stage adds to the billing application from outside, by {@code spring.main.sources}. */
@Configuration(proxyBeanMethods = false)
class StageConfiguration {

    /** The number of the payment after whose commit the consumer stands still, to be killed; 0 for none. */
    static final String STAND_STILL_AFTER = "demo.stand-still-after";

    @Bean
    DeliveryLog deliveryLog(JdbcClient jdbc, Environment environment) {
        return new DeliveryLog(jdbc, environment.getProperty(STAND_STILL_AFTER, Integer.class, 0));
    }

    /** Stops the application in good order at the end of its standard input: the stage asks for it, or is gone. */
    @Bean
    ApplicationRunner stopAtEndOfInput(ConfigurableApplicationContext application) {
        return arguments -> {
            Thread watch = new Thread(() -> stopAtEndOfInputOf(application), "end-of-input");
            watch.setDaemon(true);
            watch.start();
        };
    }

    private static void stopAtEndOfInputOf(ConfigurableApplicationContext application) {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // A broken pipe is an end as well.
        }
        System.exit(SpringApplication.exit(application));
    }
}
