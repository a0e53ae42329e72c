package io.inboxkit.kafka;

import io.inboxkit.DeliveryRoute;
import io.inboxkit.InboxMessage;

/**
 * The record at this position, whatever is in it: also a copy on a dead-letter topic is a new message of that topic.
 *
 * @param topics the positions
 * @param replay whether somebody has asked for the deliveries
 */
record RecordPosition(TrackedTopics topics, boolean replay) implements MessageIdentity {

    @Override
    public InboxMessage of(String consumer, RecordDelivery delivery) {
        return InboxMessage.tracked(consumer, topics.of(delivery.kafkaRecord(), delivery.consumer()))
                .route(replay ? DeliveryRoute.REPLAY : DeliveryRoute.LIVE);
    }
}
