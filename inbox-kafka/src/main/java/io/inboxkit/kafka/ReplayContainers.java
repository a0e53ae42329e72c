package io.inboxkit.kafka;

import io.inboxkit.Inbox;
import io.inboxkit.InboxConfigurationException.Finding;
import io.inboxkit.jdbc.JdbcInbox;
import io.inboxkit.jdbc.ReplayPartitionRow;
import io.inboxkit.jdbc.ReplayRow;
import io.inboxkit.jdbc.ReplayRuns;
import io.inboxkit.kafka.InboxListener.Replica;
import io.inboxkit.kafka.InboxListener.Role;
import io.inboxkit.kafka.InboxListener.Wiring;
import io.inboxkit.kafka.ReplayRequest.Settings;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.support.TopicPartitionOffset;
import org.springframework.util.backoff.FixedBackOff;

/**
 * Makes containers that call the listeners of the application with the records of a run. Such a container comes from the
 * listener's own factory and endpoint, so that converters, filters, interceptors and error handlers are those of the live one.
 */
final class ReplayContainers {

    private final InboxListeners listeners;

    ReplayContainers(InboxListeners listeners) {
        this.listeners = listeners;
    }

    /** Whether there is a listener of this id. */
    boolean knows(String id) {
        return listeners.all().containsKey(id);
    }

    /**
     * The listener of this id.
     *
     * @throws IllegalArgumentException if it cannot be replayed
     */
    Source source(String id) {
        InboxListener listener = listeners.all().get(id);
        if (listener == null) {
            throw new IllegalArgumentException("There is no Kafka listener '" + id + "'. There are "
                    + listeners.all().keySet() + "; the id is that of @KafkaListener(id = …)");
        }
        Wiring wiring = listener.wiring();
        if (wiring == null) {
            throw refused(
                    id,
                    "none of its methods is annotated with @IdempotentConsumer, so nothing is known of what it has"
                            + " processed. Annotate it, or reset the offsets of its group");
        }
        if (listener.role() == Role.RETRY) {
            throw refused(
                    id,
                    "it reads a retry topic. Replay its main listener '"
                            + listener.main().id() + "'");
        }
        if (!(wiring.container() instanceof AbstractMessageListenerContainer<?, ?> container)) {
            throw refused(
                    id,
                    "its container, a " + wiring.container().getClass().getSimpleName()
                            + ", has no partitions and offsets. Send what is to be handled again to its topic");
        }
        Set<ReplayRuns> runs = new LinkedHashSet<>();
        for (HandlerPlan plan : listener.plans()) {
            Inbox inbox = plan.inbox();
            if (!(inbox instanceof JdbcInbox jdbc)) {
                throw refused(id, "its inbox is a " + inbox.getClass().getName() + ". Use a JdbcInbox");
            }
            runs.add(jdbc.replays());
        }
        if (runs.size() != 1) {
            throw refused(
                    id,
                    "its handlers use " + runs.size()
                            + " inboxes, but a run is recorded in one. Make a listener for each"
                            + " transaction manager");
        }
        return new Source(listener, wiring, container, runs.iterator().next());
    }

    private static IllegalArgumentException refused(String id, String why) {
        return new IllegalArgumentException("The listener '" + id + "' cannot be replayed: " + why);
    }

    /** What is to be read. */
    List<ReplayPartitionRow> resolve(Source source, Settings request) {
        return new ReplayRange(
                        source.listener(), source.container(), topic -> listeners.topicId(source.container(), topic))
                .resolve(request);
    }

    /** A container for a run, not started. */
    MessageListenerContainer create(
            Source source,
            ReplayRow run,
            UUID owner,
            ReplayProgress progress,
            List<ReplayPartitionRow> partitions,
            ReplayReader.Events events) {
        List<TopicPartitionOffset> offsets = partitions.stream()
                .map(row -> new TopicPartitionOffset(row.topic(), row.partition(), row.next()))
                .toList();
        ReplayedEndpoint endpoint = new ReplayedEndpoint(source.listener().endpoint(), offsets);
        Replica replica = source.listener().replicate(run.deadLetters() ? Role.RETRY : null, () -> source.wiring()
                .factory()
                .createListenerContainer(endpoint));
        if (!(replica.container() instanceof AbstractMessageListenerContainer<?, ?> container)
                || container.getContainerProperties().getTopicPartitions() == null) {
            throw refused(
                    source.listener().id(),
                    "its container factory makes no container for given partitions. Use a"
                            + " ConcurrentKafkaListenerContainerFactory");
        }
        container.getContainerProperties().setStopImmediate(true);
        if (run.deadLetters()) {
            // What fails again is a dead letter already: it stays where it is.
            container.setCommonErrorHandler(new DefaultErrorHandler(new FixedBackOff(0, 0)));
        }
        ReplaySetup setup = new ReplaySetup(run, owner, progress);
        List<Finding> findings =
                listeners.connect(replica.listener(), container, source.wiring().group(), setup);
        if (!findings.isEmpty()) {
            throw TopicReplay.refused(source.listener().id(), findings);
        }
        ReplayReader reader = new ReplayReader(run, progress, events);
        reader.sieve(ReplaySieves.of(run, progress, setup, source));
        replaceFactory(container, run, reader);
        return container;
    }

    /** Last of all, around whatever the wiring has put there. */
    private static void replaceFactory(
            AbstractMessageListenerContainer<?, ?> container, ReplayRow run, ReplayReader reader) {
        ConsumerFactory<?, ?> original = ContainerConsumerFactory.of(container);
        String group = "inbox-replay-" + run.name();
        ContainerConsumerFactory.replace(container, new ReplayConsumerFactory<>(original, group, reader));
    }

    /**
     * A listener that can be replayed.
     *
     * @param container its live container
     * @param runs where its runs are recorded
     */
    record Source(
            InboxListener listener, Wiring wiring, AbstractMessageListenerContainer<?, ?> container, ReplayRuns runs) {}
}
