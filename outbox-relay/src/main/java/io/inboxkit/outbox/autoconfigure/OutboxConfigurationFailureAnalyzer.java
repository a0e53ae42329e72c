package io.inboxkit.outbox.autoconfigure;

import io.inboxkit.outbox.OutboxConfigurationException;
import io.inboxkit.outbox.OutboxConfigurationException.Finding;
import java.util.stream.Collectors;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows the findings of {@link OutboxConfigurationException} without a stack trace. */
class OutboxConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<OutboxConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, OutboxConfigurationException cause) {
        return new FailureAnalysis(
                cause.findings().stream().map(Finding::problem).collect(Collectors.joining("%n".formatted())),
                cause.findings().stream().map(Finding::remedy).distinct().collect(Collectors.joining("%n".formatted())),
                cause);
    }
}
