package io.inboxkit.demo;

import io.inboxkit.testkit.KafkaService;
import io.inboxkit.testkit.TestDatabase;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * PostgreSQL and Kafka, embedded in this process and ending with it.
 *
 * @param database an empty database
 * @param bootstrapServers the broker
 */
record Services(TestDatabase database, String bootstrapServers) {

    /** Starts them, wherever tests on this machine would look for theirs. */
    static Services start() {
        System.setProperty("INBOX_TEST_SERVICES", "embedded");
        System.setProperty("INBOX_TEST_POSTGRES_URL", "");
        System.setProperty("INBOX_TEST_KAFKA_BOOTSTRAP_SERVERS", "");
        PrintStream console = System.out;
        // The broker tells on it how it formats its disk.
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        try {
            return new Services(TestDatabase.create(), KafkaService.bootstrapServers());
        } finally {
            System.setOut(console);
        }
    }
}
