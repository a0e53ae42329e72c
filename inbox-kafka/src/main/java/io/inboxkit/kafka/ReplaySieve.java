package io.inboxkit.kafka;

import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Decides, for all records of a poll together, which of them the listener is to have at all. */
interface ReplaySieve {

    /** Lets everything pass. */
    ReplaySieve NONE = new ReplaySieve() {
        @Override
        public <K, V> List<ConsumerRecord<K, V>> sift(TopicPartition partition, List<ConsumerRecord<K, V>> records) {
            return records;
        }
    };

    <K, V> List<ConsumerRecord<K, V>> sift(TopicPartition partition, List<ConsumerRecord<K, V>> records);
}
