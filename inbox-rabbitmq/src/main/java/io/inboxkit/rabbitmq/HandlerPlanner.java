package io.inboxkit.rabbitmq;

import io.inboxkit.ConsumerDeclaration;
import io.inboxkit.ConsumerOwners;
import io.inboxkit.ConsumerSettings;
import io.inboxkit.HandlerDeclaration;
import io.inboxkit.HandlerTransaction;
import io.inboxkit.Inbox;
import io.inboxkit.InboxConfigurationException;
import io.inboxkit.InboxConfigurationException.Finding;
import io.inboxkit.ListenerDefaults;
import io.inboxkit.MessageExpression;
import io.inboxkit.MessageIdSearch;
import io.inboxkit.jdbc.InboxChoice;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Reads what a handler declares and finds what it needs, or says everything that is wrong with it. */
final class HandlerPlanner {

    private final ConfigurableListableBeanFactory beans;
    private final ListenerDefaults defaults;
    private final InboxChoice inboxes;
    private final ConsumerOwners owners = new ConsumerOwners();

    HandlerPlanner(ConfigurableListableBeanFactory beans, ListenerDefaults defaults) {
        this.beans = beans;
        this.defaults = defaults;
        this.inboxes = new InboxChoice(beans);
    }

    /**
     * @param queues the queues of the listener
     * @throws InboxConfigurationException if something is wrong, with all of it
     */
    HandlerPlan plan(InboxListener listener, InboxHandlerMethod handler, ListenerQueues queues) {
        HandlerDeclaration declaration = handler.declaration();
        ConsumerDeclaration declared = read(declaration);
        List<Finding> findings = ListenerRefusals.ofHandler(declaration, declared);
        ConsumerNames names = new ConsumerNames(declared.consumer(), queues.names());
        if (declared.consumer() == null) {
            queues.unstable().forEach(queue -> findings.add(ListenerRefusals.noName(declaration, queue)));
        }
        findings.addAll(owners.claim(names.known(), listener.id(), null));
        try {
            Inbox inbox = inboxes.choose("listener " + declaration, declared.transactionManager());
            HandlerTransaction transaction = HandlerTransaction.of(
                    declaration.method(), declaration.type(), InboxChoice.managerOf(inbox), inboxes::find);
            findings.addAll(transaction.findings());
            ConsumerSettings settings = ConsumerSettings.of(declared.onReusedId(), declared.retention())
                    .transaction(transaction.isolation(), transaction.timeout());
            String payload = PayloadParameter.nameOf(declaration.method());
            MessageExpression id = expression("messageId", declaration, declared.messageId(), payload);
            MessageExpression scope = expression("scope", declaration, declared.scope(), payload);
            if (findings.isEmpty()) {
                MessageIdLookup search = new MessageIdLookup(id, new MessageIdSearch(defaults.headers()), payload);
                return new HandlerPlan(
                        handler, declared, inbox, settings, names, search, scope, transaction.warnings());
            }
        } catch (InboxConfigurationException e) {
            findings.addAll(e.findings());
        }
        throw new InboxConfigurationException(findings);
    }

    private ConsumerDeclaration read(HandlerDeclaration declaration) {
        try {
            return ConsumerDeclaration.of(
                    declaration.annotation(),
                    defaults,
                    text -> Objects.requireNonNullElse(beans.resolveEmbeddedValue(text), ""));
        } catch (IllegalArgumentException e) {
            throw new InboxConfigurationException(List.of(ListenerRefusals.wrongAttribute(declaration, e)));
        }
    }

    private static @Nullable MessageExpression expression(
            String attribute, HandlerDeclaration handler, @Nullable String text, @Nullable String payload) {
        return text == null
                ? null
                : MessageExpression.parse(attribute, handler.toString(), text, DeliveryVariables.names(payload));
    }
}
