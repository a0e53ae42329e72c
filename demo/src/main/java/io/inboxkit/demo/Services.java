package io.inboxkit.demo;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/** PostgreSQL and Kafka, embedded in this process. PostgreSQL's own processes end with this one also when it is interrupted. */
final class Services implements AutoCloseable {

    private final EmbeddedPostgres postgres;
    private final EmbeddedKafkaKraftBroker kafka;

    private Services(EmbeddedPostgres postgres, EmbeddedKafkaKraftBroker kafka) {
        this.postgres = postgres;
        this.kafka = kafka;
    }

    static Services start() throws IOException {
        EmbeddedPostgres postgres = EmbeddedPostgres.builder().start();
        EmbeddedKafkaKraftBroker kafka = new EmbeddedKafkaKraftBroker(1, 1);
        kafka.afterPropertiesSet();
        return new Services(postgres, kafka);
    }

    String jdbcUrl() {
        return postgres.getJdbcUrl("postgres", "postgres");
    }

    String bootstrapServers() {
        return kafka.getBrokersAsString();
    }

    @Override
    public void close() throws IOException {
        kafka.destroy();
        postgres.close();
    }
}
