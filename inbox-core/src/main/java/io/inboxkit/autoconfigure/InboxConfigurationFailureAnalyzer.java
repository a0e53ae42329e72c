package io.inboxkit.autoconfigure;

import io.inboxkit.InboxConfigurationException;
import io.inboxkit.InboxConfigurationException.Finding;
import java.util.stream.Collectors;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows the findings of {@link InboxConfigurationException} without a stack trace. */
class InboxConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<InboxConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InboxConfigurationException cause) {
        return new FailureAnalysis(
                cause.findings().stream().map(Finding::problem).collect(Collectors.joining("%n".formatted())),
                cause.findings().stream().map(Finding::remedy).distinct().collect(Collectors.joining("%n".formatted())),
                cause);
    }
}
