package io.inboxkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.inboxkit.IdempotentConsumer;
import io.inboxkit.InboxConfigurationException;
import io.inboxkit.Tracking;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.kafka.annotation.KafkaListener;

/** What a listener that tracks positions says at its start, with a broker. */
@ExtendWith(OutputCaptureExtension.class)
class PositionRefusalsIT {

    @Test
    void topicThatTheBrokerDoesNotDescribeStopsTheStart() {
        assertThatThrownBy(() -> ListenerApplication.start(OnMissingTopic.class))
                .rootCause()
                .isInstanceOf(InboxConfigurationException.class)
                .hasMessageContaining("OnMissingTopic.on(String)")
                .hasMessageContaining("the broker does not tell the id of topic 'no-such-topic'")
                .hasMessageContaining("right to describe");
    }

    @Test
    void startUpLineSaysThatThereAreNoIds(CapturedOutput output) {
        try (var application = ListenerApplication.start(Fine.class)) {
            assertThat(output)
                    .contains("consumer 'billing:" + application.topic()
                            + "', no ids (track = POSITION: topic id, partition and offset), mode TRANSACTIONAL, one row for"
                            + " each partition, without retention, fingerprint none")
                    .contains("Listener 'billing' has a retention, which has no effect with track = POSITION");
        }
    }

    static class OnMissingTopic {

        @KafkaListener(id = "billing", topics = "no-such-topic")
        @IdempotentConsumer(track = Tracking.POSITION)
        void on(String payload) {}
    }

    static class Fine {

        @KafkaListener(id = "billing", topics = "${topic}")
        @IdempotentConsumer(track = Tracking.POSITION, retention = "1d")
        void on(String payload) {}
    }
}
