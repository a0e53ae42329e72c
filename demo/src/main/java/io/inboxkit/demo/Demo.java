package io.inboxkit.demo;

import java.time.Duration;
import java.util.List;

/**
 * The whole story by one command: a producer that sends twice, a consumer that is killed between the commit of its database
 * transaction and the acknowledgement, and a group that is rewound to the beginning of its topic. The exit code is 0
 * only if every order has exactly one payment.
 *
 * <p>Arguments are handed on to the consumer; with {@code --inbox.enabled=false} it runs without the inbox.
 */
public final class Demo {

    private static final int ORDERS = 300;
    private static final int KILL_AT = 100;
    private static final Duration LONGEST_WATCH = Duration.ofMinutes(2);

    private static volatile boolean stopping;

    private final Narrator narrator;
    private final OrdersTopic topic;
    private final Books books;
    private final ConsumerLauncher consumers;

    private Demo(Narrator narrator, Services services, List<String> arguments) {
        this.narrator = narrator;
        this.topic = new OrdersTopic(services.bootstrapServers(), ORDERS);
        this.books = new Books(services.database().dataSource());
        this.consumers = new ConsumerLauncher(services, arguments);
    }

    public static void main(String[] args) {
        System.exit(exitCode(List.of(args)));
    }

    private static int exitCode(List<String> arguments) {
        Narrator narrator = new Narrator();
        narrator.tell("PostgreSQL and Kafka start inside this process");
        try {
            Demo demo = new Demo(narrator, Services.start(), arguments);
            Runtime.getRuntime().addShutdownHook(new Thread(demo::stop));
            return demo.run() ? 0 : 1;
        } catch (Exception e) {
            if (!stopping) {
                e.printStackTrace();
            }
            return 2;
        }
    }

    /** At the end, also when it is interrupted: then what fails because of that is not worth a word. */
    private void stop() {
        stopping = true;
        consumers.killAll();
    }

    private boolean run() throws Exception {
        books.open();
        topic.create();

        ConsumerProcess first = consumers.startAndStandStillAfter(KILL_AT);
        narrator.tell(
                "The consumer starts as process %d; meanwhile a producer sends the orders".formatted(first.pid()));
        int sent = topic.sendOrders();
        narrator.tell("%d messages sent for %d orders: it sent every third order twice, under one id"
                .formatted(sent, ORDERS));
        watch(first, first::standsStill);
        first.kill();
        narrator.tell("SIGKILL: the transaction of payment %d is committed, its offset is not".formatted(KILL_AT));

        ConsumerProcess second = consumers.start();
        narrator.tell("The consumer starts again as process %d".formatted(second.pid()));
        watch(second, topic::isConsumed);
        second.stop();

        topic.rewindGroup();
        narrator.tell("The consumer is stopped, and its group rewound to the beginning of the topic");
        ConsumerProcess third = consumers.start();
        narrator.tell("The consumer starts once more as process %d".formatted(third.pid()));
        watch(third, topic::isConsumed);
        third.stop();

        narrator.tell("Done");
        return new Report(books, sent, topic.orderIds()).print(System.out);
    }

    /**
     * Shows how it goes on, until the condition holds.
     *
     * @throws IllegalStateException if the consumer ends, or does not get there in time
     */
    private void watch(ConsumerProcess consumer, ConsumerProcess.Condition condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.holds()) {
            if (System.nanoTime() - start > LONGEST_WATCH.toNanos()) {
                throw new IllegalStateException("The consumer has not come to the end of its work within "
                        + LONGEST_WATCH.toSeconds() + " s; it is at " + books.progress());
            }
            narrator.progress(books.progress());
            consumer.requireAliveFor(ConsumerProcess.BREATH);
        }
        narrator.progress(books.progress());
    }
}
