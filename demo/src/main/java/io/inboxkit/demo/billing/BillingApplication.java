package io.inboxkit.demo.billing;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.support.converter.ByteArrayJacksonJsonMessageConverter;
import org.springframework.kafka.support.converter.RecordMessageConverter;

/** Books a payment for every order that is placed. */
@SpringBootApplication
public class BillingApplication {

    public static void main(String[] args) {
        SpringApplication.run(BillingApplication.class, args);
    }

    /** Payloads stay bytes up to the handler, so that a dead letter is byte for byte what was sent. */
    @Bean
    RecordMessageConverter jsonPayloads() {
        return new ByteArrayJacksonJsonMessageConverter();
    }

    /** What fails again and again, or has no id, goes to {@code orders-dlt}, where a human finds it. */
    @Bean
    DefaultErrorHandler deadLetters(KafkaOperations<Object, Object> kafka) {
        return new DefaultErrorHandler(new DeadLetterPublishingRecoverer(kafka));
    }
}
