package io.inboxkit.demo;

import io.inboxkit.InboxObserver;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.listener.RecordInterceptor;

/**
 * Writes down every delivery and what became of it, outside the transaction of the handler, so that a rollback or a crash
 * does not hide it. With the inbox off, whatever the listener returns from counts as processed.
 */
final class DeliveryLog implements RecordInterceptor<Object, Object>, InboxObserver {

    /** What the consumer says on its standard output when it stands still. */
    static final String STANDS_STILL = "-- committed, not acknowledged --";

    private static final String PROCESSED = "processed";

    private final JdbcClient jdbc;
    private final int standStillAfter;
    private int processed;
    /** The delivery that is in progress; the demo has one consumer thread. */
    private long delivery;

    DeliveryLog(JdbcClient jdbc, int standStillAfter) {
        this.jdbc = jdbc;
        this.standStillAfter = standStillAfter;
    }

    @Override
    public ConsumerRecord<Object, Object> intercept(
            ConsumerRecord<Object, Object> message, Consumer<Object, Object> consumer) {
        delivery = jdbc.sql("insert into demo_delivery (kafka_partition, kafka_offset) values (?, ?) returning id")
                .params(message.partition(), message.offset())
                .query(Long.class)
                .single();
        return message;
    }

    @Override
    public void outcome(String consumer, MessageOutcome outcome) {
        end(outcome.name().toLowerCase(Locale.ROOT));
    }

    /** The transaction is committed, and the container has not yet sent the offset to the broker. */
    @Override
    public void success(ConsumerRecord<Object, Object> message, Consumer<Object, Object> consumer) {
        end(PROCESSED);
        if (standStillAfter > 0 && processed == standStillAfter) {
            System.out.println(STANDS_STILL);
            standStill();
        }
    }

    private void end(String outcome) {
        int ended = jdbc.sql("update demo_delivery set outcome = ? where id = ? and outcome is null")
                .params(outcome, delivery)
                .update();
        if (ended == 1 && outcome.equals(PROCESSED)) {
            processed++;
        }
    }

    private static void standStill() {
        while (true) {
            LockSupport.park();
        }
    }
}
