package io.inboxkit.kafka.faults;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.inboxkit.testkit.ChildJvm;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.MessageListenerContainer;

class RebalanceIT {

    private static final int PARTITIONS = 6;
    private static final int LEAST_PAYMENTS = 300;

    private final ScheduledExecutorService producer = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void stopProducer() {
        producer.shutdownNow();
    }

    @Test
    void eachPaymentIsBookedOnceWhileMembersJoinAndLeaveUnderLoad() throws InterruptedException {
        long seed = System.nanoTime();
        System.out.println("Seed of the payments: " + seed);
        try (Payments payments = new Payments(PARTITIONS);
                ChildJvm first = payments.startChild(Map.of());
                ChildJvm second = payments.startChild(Map.of())) {
            first.awaitLine("partitions assigned: \\[.+", Payments.PATIENCE);
            second.awaitLine("partitions assigned: \\[.+", Payments.PATIENCE);
            Load load = new Load(payments, new Random(seed));
            ScheduledFuture<?> sending = producer.scheduleAtFixedRate(load, 0, 5, MILLISECONDS);
            payments.awaitBooked(List.of("p0"));

            try (var third = payments.start(Map.of())) {
                await("a share of the third member")
                        .atMost(Payments.PATIENCE)
                        .untilAsserted(() -> assertThat(partitions(third)).isEqualTo(PARTITIONS / 3));
                assertThat(first.stop()).isNotNegative();
                await("the share of the member that left")
                        .atMost(Payments.PATIENCE)
                        .untilAsserted(() -> assertThat(partitions(third)).isEqualTo(PARTITIONS / 2));
                await("enough payments").atMost(Payments.PATIENCE).until(() -> load.next >= LEAST_PAYMENTS);
                assertThat(sending.isDone()).as("the producer has failed").isFalse();
                producer.shutdown();
                assertThat(producer.awaitTermination(30, SECONDS)).isTrue();

                payments.awaitEachBookedOnce();
            }
        }
    }

    private static int partitions(ApplicationContext application) {
        MessageListenerContainer container =
                application.getBean(KafkaListenerEndpointRegistry.class).getListenerContainer("billing");
        return container == null || container.getAssignedPartitions() == null
                ? 0
                : container.getAssignedPartitions().size();
    }

    /** Sends the next payment, or one of the last ones once more. */
    private static final class Load implements Runnable {

        private final Payments payments;
        private final Random random;
        private volatile int next;

        Load(Payments payments, Random random) {
            this.payments = payments;
            this.random = random;
        }

        @Override
        public void run() {
            int payment = next;
            if (payment > 0 && random.nextInt(3) == 0) {
                payment = Math.max(0, payment - 1 - random.nextInt(20));
            } else {
                next = payment + 1;
            }
            // On any partition: on the one of its key, two members would never meet at one id.
            payments.send(random.nextInt(PARTITIONS), "p" + payment);
        }
    }
}
