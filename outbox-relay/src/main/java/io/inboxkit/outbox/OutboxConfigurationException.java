package io.inboxkit.outbox;

import java.util.List;

/**
 * The outbox or its relay is wired so that it could not keep its promise; the application must not start. Carries every finding of one
 * check at once.
 */
public final class OutboxConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final List<Finding> findings;

    /**
     * @param findings what was found, at least one
     */
    public OutboxConfigurationException(List<Finding> findings) {
        super(String.join(
                System.lineSeparator(), findings.stream().map(Finding::toString).toList()));
        this.findings = List.copyOf(findings);
    }

    /** A single finding. */
    public OutboxConfigurationException(String problem, String remedy) {
        this(List.of(new Finding(problem, remedy)));
    }

    /** What was found, in the order of the check. */
    public List<Finding> findings() {
        return findings;
    }

    /**
     * One thing that is wrong.
     *
     * @param problem which bean, method or property, and what is wrong with it
     * @param remedy what to do
     */
    public record Finding(String problem, String remedy) {

        @Override
        public String toString() {
            return problem + ". " + remedy + ".";
        }
    }
}
