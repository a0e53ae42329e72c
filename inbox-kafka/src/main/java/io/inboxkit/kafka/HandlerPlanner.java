package io.inboxkit.kafka;

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
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.kafka.config.MethodKafkaListenerEndpoint;
import org.springframework.kafka.support.TopicPartitionOffset;

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
     * @param group the group id of the main listener
     * @throws InboxConfigurationException if something is wrong, with all of it
     */
    HandlerPlan plan(InboxListener listener, InboxHandlerMethod handler, @Nullable String group) {
        HandlerDeclaration declaration = handler.declaration();
        ConsumerDeclaration declared = read(declaration);
        List<Finding> findings = ListenerRefusals.ofHandler(declaration, declared);
        findings.addAll(PositionRefusals.ofHandler(declaration, declared, listener.role()));
        ConsumerNames names = names(listener, declared, Objects.requireNonNullElse(group, ""));
        findings.addAll(claimNames(listener, declaration, names));
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
                RecordIdSearch search = new RecordIdSearch(id, new MessageIdSearch(defaults.headers()), payload);
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
                : MessageExpression.parse(attribute, handler.toString(), text, RecordVariables.names(payload));
    }

    private ConsumerNames names(InboxListener listener, ConsumerDeclaration declared, String group) {
        List<String> topics = topicsOf(listener.main().endpoint());
        if (listener.role() != InboxListener.Role.DEAD_LETTERS || declared.consumer() != null) {
            return new ConsumerNames(declared.consumer(), group, topics, listener.role(), "");
        }
        String mainName = listener.main().handlers().stream()
                .map(handler -> read(handler.declaration()).consumer())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        return new ConsumerNames(mainName, group, topics, listener.role(), ":dlt");
    }

    private List<Finding> claimNames(InboxListener listener, HandlerDeclaration declaration, ConsumerNames names) {
        if (names.missing()) {
            return List.of(ListenerRefusals.noName(declaration));
        }
        String main = listener.main().id();
        String owner = listener.role() == InboxListener.Role.DEAD_LETTERS ? main + " (dead letters)" : main;
        Pattern topicPattern = listener.main().endpoint().getTopicPattern();
        return owners.claim(names.known(), owner, names.pattern(topicPattern));
    }

    /** The topics that are known before the first record; none for a pattern. */
    static List<String> topicsOf(MethodKafkaListenerEndpoint<?, ?> endpoint) {
        Set<String> topics = new LinkedHashSet<>();
        Collection<String> names = endpoint.getTopics();
        if (names != null) {
            topics.addAll(names);
        }
        TopicPartitionOffset[] partitions = endpoint.getTopicPartitionsToAssign();
        if (partitions != null) {
            for (TopicPartitionOffset partition : partitions) {
                topics.add(partition.getTopic());
            }
        }
        return new ArrayList<>(topics);
    }
}
