package io.inboxkit.outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.inboxkit.outbox.OutboxConfigurationException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProducerConfigurationTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    @ParameterizedTest
    @CsvSource({
        "acks, 0",
        "acks, 1",
        "enable.idempotence, false",
        "transactional.id, x",
        "retries, 0",
        "retries, many",
        "max.in.flight.requests.per.connection, 6",
        "delivery.timeout.ms, 10001",
        "max.block.ms, 60000"
    })
    void whatWeakensThePromiseIsRefusedByName(String setting, String value) {
        assertThatExceptionOfType(OutboxConfigurationException.class)
                .isThrownBy(() -> ProducerConfiguration.of(Map.of(setting, value), TIMEOUT))
                .withMessageContaining(setting);
    }

    @Test
    void everyFindingIsReportedAtOnce() {
        assertThatExceptionOfType(OutboxConfigurationException.class)
                .isThrownBy(() -> ProducerConfiguration.of(Map.of("acks", 1, "retries", 0), TIMEOUT))
                .satisfies(e -> assertThat(e.findings()).hasSize(2));
    }

    @Test
    void restOfTheSettingsIsKept() {
        Map<String, Object> settings = ProducerConfiguration.of(
                Map.of("acks", "-1", "linger.ms", 7, "compression.type", "zstd", "retries", 5), TIMEOUT);

        assertThat(settings)
                .containsEntry("acks", "all")
                .containsEntry("enable.idempotence", true)
                .containsEntry("linger.ms", 7)
                .containsEntry("compression.type", "zstd")
                .containsEntry("delivery.timeout.ms", 10_000);
    }
}
