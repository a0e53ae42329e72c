package io.inboxkit.kafka;

import io.inboxkit.InboxException;
import io.inboxkit.InboxMessage;
import io.inboxkit.jdbc.ReplayLookup;
import io.inboxkit.jdbc.ReplayRow;
import io.inboxkit.jdbc.ReplayRuns;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.kafka.support.KafkaNull;
import org.springframework.messaging.support.GenericMessage;

/** The sieves of a run. */
final class ReplaySieves {

    private ReplaySieves() {}

    static ReplaySieve of(ReplayRow run, ReplayProgress progress, ReplaySetup setup, ReplayContainers.Source source) {
        ReplaySieve last = ReplayMode.valueOf(run.mode()) == ReplayMode.AUDIT
                ? new Audit(progress, setup, source.runs())
                : ReplaySieve.NONE;
        return run.deadLetters()
                ? new OwnDeadLetters(progress, setup, source.wiring().group(), last)
                : last;
    }

    /** Leaves out the dead letters of other consumers. */
    private record OwnDeadLetters(ReplayProgress progress, ReplaySetup setup, @Nullable String group, ReplaySieve next)
            implements ReplaySieve {

        @Override
        public <K, V> List<ConsumerRecord<K, V>> sift(TopicPartition partition, List<ConsumerRecord<K, V>> records) {
            List<ConsumerRecord<K, V>> own = new ArrayList<>();
            for (ConsumerRecord<K, V> delivered : records) {
                if (isOwn(delivered)) {
                    own.add(delivered);
                } else {
                    progress.foreign(partition);
                }
            }
            return next.sift(partition, own);
        }

        private boolean isOwn(ConsumerRecord<?, ?> delivered) {
            String topic = Originals.topic(delivered);
            String consumedBy = text(delivered, KafkaHeaders.DLT_ORIGINAL_CONSUMER_GROUP);
            return (topic == null
                            || setup.handlers().stream()
                                    .anyMatch(handler -> handler.plan().names().reads(topic)))
                    && (consumedBy == null || group == null || consumedBy.equals(group));
        }

        private static @Nullable String text(ConsumerRecord<?, ?> delivered, String name) {
            for (Header header : delivered.headers().headers(name)) {
                return header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
            }
            return null;
        }
    }

    /** Looks all records of a poll up in one statement and lets none pass. */
    private record Audit(ReplayProgress progress, ReplaySetup setup, ReplayRuns runs) implements ReplaySieve {

        @Override
        public <K, V> List<ConsumerRecord<K, V>> sift(TopicPartition partition, List<ConsumerRecord<K, V>> records) {
            List<InboxMessage> messages = new ArrayList<>(records.size());
            for (ConsumerRecord<K, V> delivered : records) {
                InboxMessage message = identify(delivered);
                if (message == null || message.id() == null) {
                    progress.withoutId(partition);
                } else {
                    messages.add(message);
                }
            }
            for (ReplayLookup.Answer answer : runs.lookUp(messages)) {
                progress.found(partition, answer.state());
            }
            return List.of();
        }

        private @Nullable InboxMessage identify(ConsumerRecord<?, ?> delivered) {
            ReplaySetup.Handler handler = setup.handlers().get(0);
            Object payload = Objects.requireNonNullElse(delivered.value(), KafkaNull.INSTANCE);
            RecordDelivery delivery = new RecordDelivery(
                    handler.plan().handler(), new GenericMessage<>(payload), new Object[] {delivered});
            try {
                return handler.identity().of(handler.plan().names().of(delivered), delivery);
            } catch (InboxException e) {
                return null;
            }
        }
    }
}
