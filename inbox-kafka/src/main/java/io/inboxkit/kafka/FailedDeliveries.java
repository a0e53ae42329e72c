package io.inboxkit.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Hears which deliveries fail, whatever the error handling makes of it. Called on the consumer's thread. */
interface FailedDeliveries {

    /** Nobody hears of it. */
    FailedDeliveries NONE = new FailedDeliveries() {
        @Override
        public void failed(ConsumerRecord<?, ?> delivered, Throwable failure) {}

        @Override
        public void wentOn(ConsumerRecord<?, ?> delivered) {}
    };

    /** A delivery has failed; it may be delivered again. */
    void failed(ConsumerRecord<?, ?> delivered, Throwable failure);

    /** A delivery was handled or skipped; an outer transaction may still roll it back, and then it fails. */
    void wentOn(ConsumerRecord<?, ?> delivered);
}
