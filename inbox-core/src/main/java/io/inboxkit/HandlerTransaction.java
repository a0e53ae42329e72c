package io.inboxkit;

import io.inboxkit.InboxConfigurationException.Finding;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.NoRollbackRuleAttribute;
import org.springframework.transaction.interceptor.RuleBasedTransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttribute;

/**
 * What a handler's own {@code @Transactional} means for the transaction that the inbox begins around it: isolation level
 * and timeout are taken over, what would take the handler out of that transaction is refused.
 *
 * @param isolation the isolation level, or {@link ConsumerSettings#DEFAULT_ISOLATION}
 * @param timeout the timeout, or {@code null} for none
 * @param findings what must stop the start
 * @param warnings what is only worth a line in the log
 */
public record HandlerTransaction(
        int isolation, @Nullable Duration timeout, List<Finding> findings, List<String> warnings) {

    private static final AnnotationTransactionAttributeSource ATTRIBUTES =
            new AnnotationTransactionAttributeSource(false);

    /** Finds the transaction manager that {@code @Transactional} means. */
    @FunctionalInterface
    public interface ManagerLookup {

        /**
         * The manager of this qualifier, or the one without a qualifier if it is empty.
         *
         * @return the manager, or {@code null} if it is not known
         */
        @Nullable
        TransactionManager find(String qualifier);
    }

    /**
     * Reads the {@code @Transactional} of a handler.
     *
     * @param method the method of the class, not that of an interface
     * @param type the class of the handler
     * @param own the transaction manager of the inbox, or {@code null} if it is not known
     */
    public static HandlerTransaction of(
            Method method, Class<?> type, @Nullable TransactionManager own, ManagerLookup managers) {
        TransactionAttribute attribute = ATTRIBUTES.getTransactionAttribute(method, type);
        if (attribute == null) {
            return new HandlerTransaction(ConsumerSettings.DEFAULT_ISOLATION, null, List.of(), List.of());
        }
        String handler = HandlerSignature.describe(method, type);
        List<Finding> findings = new ArrayList<>();
        String outside = outside(attribute);
        if (outside != null) {
            findings.add(new Finding(
                    "The handler " + handler + " is @Transactional(" + outside
                            + "), so its writes would not be in the transaction of the message's id",
                    "Remove " + outside
                            + " from the handler, or move the work that needs it into a method that the handler"
                            + " calls; what is done there is outside the promise of the inbox"));
        }
        String qualifier = attribute.getQualifier() == null ? "" : attribute.getQualifier();
        TransactionManager manager = managers.find(qualifier);
        if (own != null && manager != null && manager != own) {
            findings.add(new Finding(
                    "The handler " + handler + " is @Transactional with "
                            + (qualifier.isEmpty()
                                    ? "the default transaction manager"
                                    : "transaction manager '" + qualifier + "'")
                            + " (" + manager.getClass().getSimpleName()
                            + "), which is not the one of the inbox, so its writes would not be in the transaction of the"
                            + " message's id",
                    "Name the transaction manager of the inbox in @Transactional, or another inbox by"
                            + " @IdempotentConsumer(transactionManager = …)"));
        }
        Duration timeout = attribute.getTimeout() > 0 ? Duration.ofSeconds(attribute.getTimeout()) : null;
        return new HandlerTransaction(
                attribute.getIsolationLevel(), timeout, List.copyOf(findings), warnings(attribute, handler));
    }

    private static @Nullable String outside(TransactionAttribute attribute) {
        return switch (attribute.getPropagationBehavior()) {
            case TransactionDefinition.PROPAGATION_REQUIRES_NEW -> "propagation = REQUIRES_NEW";
            case TransactionDefinition.PROPAGATION_NOT_SUPPORTED -> "propagation = NOT_SUPPORTED";
            case TransactionDefinition.PROPAGATION_NEVER -> "propagation = NEVER";
            default -> attribute.isReadOnly() ? "readOnly = true" : null;
        };
    }

    private static List<String> warnings(TransactionAttribute attribute, String handler) {
        boolean noRollback = attribute instanceof RuleBasedTransactionAttribute rules
                && rules.getRollbackRules().stream().anyMatch(NoRollbackRuleAttribute.class::isInstance);
        return noRollback
                ? List.of("The handler " + handler
                        + " is @Transactional(noRollbackFor = …), which has no effect: whatever it"
                        + " throws rolls back, so that the message is delivered again")
                : List.of();
    }
}
