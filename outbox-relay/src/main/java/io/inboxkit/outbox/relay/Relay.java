package io.inboxkit.outbox.relay;

import io.inboxkit.outbox.BrokerPublisher;
import io.inboxkit.outbox.RelayMessages;
import io.inboxkit.outbox.RelayObserver;
import io.inboxkit.outbox.RelayPartitions;
import io.inboxkit.outbox.RelayState;
import io.inboxkit.outbox.WakeUp;
import io.inboxkit.outbox.WakeUpSource;
import io.inboxkit.outbox.relay.Mailbox.Woken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Publishes the messages of an outbox, at least once and in order per destination and key. Any number of relays may run, in any
 * number of processes. Thread-safe.
 *
 * <p>A crash leaves messages that were sent and not yet removed: they are sent again, under the same id. {@link #stop()} awaits
 * what is under way, removes it and gives up the partitions, so that the others go on at once.
 */
public final class Relay implements WakeUp, SmartLifecycle {

    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);

    private final RelaySettings settings;
    private final RelayPartitions partitions;
    private final RelayMessages messages;
    private final WakeUpSource wakeUps;
    private final Brokers brokers;
    private final String name;
    private volatile @Nullable Running running;

    /**
     * @param name what it is called among the relays, such as the name of the host
     * @param settings how it works
     * @param partitions who owns what
     * @param messages what is to be published
     * @param wakeUps the signals of writers
     * @param publishers the brokers; closed by whoever has made them, after the relay was stopped
     * @param observer who hears of it
     */
    public Relay(
            String name,
            RelaySettings settings,
            RelayPartitions partitions,
            RelayMessages messages,
            WakeUpSource wakeUps,
            List<BrokerPublisher> publishers,
            RelayObserver observer) {
        this.name = name;
        this.settings = settings;
        this.partitions = partitions;
        this.messages = messages;
        this.wakeUps = wakeUps;
        this.brokers = new Brokers(publishers, observer);
    }

    private record Running(
            Ownership ownership,
            Thread ownershipThread,
            Signals signals,
            Thread signalsThread,
            List<Worker> workers,
            List<Thread> workerThreads) {}

    @Override
    public synchronized void start() {
        if (running != null) {
            return;
        }
        Lease lease = new Lease();
        Ownership ownership = new Ownership(partitions, settings.lease(), lease, name);
        List<Worker> workers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < settings.workers(); i++) {
            Worker worker = new Worker(settings, messages, lease, brokers, ownership::released);
            workers.add(worker);
            threads.add(new Thread(worker, "outbox-relay-" + i));
        }
        ownership.workers(List.copyOf(workers));
        Signals signals = new Signals(wakeUps, settings.pollInterval(), this::messagesCommitted);
        Running started = new Running(
                ownership,
                new Thread(ownership, "outbox-relay-lease"),
                signals,
                new Thread(signals, "outbox-relay-signals"),
                List.copyOf(workers),
                List.copyOf(threads));
        running = started;
        started.workerThreads().forEach(Thread::start);
        started.ownershipThread().start();
        started.signalsThread().start();
        LOG.info("The relay '{}' has started with {}", name, settings);
    }

    /** The workers come first: until they have written down what was confirmed, the lease is prolonged. */
    @Override
    public synchronized void stop() {
        Running stopped = running;
        if (stopped == null) {
            return;
        }
        stopped.signals().stop(stopped.signalsThread());
        stopped.workers().forEach(Worker::stop);
        long end = System.nanoTime() + settings.sendTimeout().plus(GRACE).toNanos();
        stopped.workerThreads().forEach(thread -> join(thread, end));
        stopped.ownership().stop();
        stopped.ownershipThread().interrupt();
        join(stopped.ownershipThread(), System.nanoTime() + GRACE.toNanos());
        join(stopped.signalsThread(), System.nanoTime() + GRACE.toNanos());
        running = null;
        LOG.info("The relay '{}' has stopped", name);
    }

    private static void join(Thread thread, long end) {
        try {
            thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
            if (thread.isAlive()) {
                thread.interrupt();
                thread.join(GRACE.toMillis());
            }
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running != null;
    }

    @Override
    public void messagesCommitted() {
        Running now = running;
        if (now != null) {
            now.workers().forEach(worker -> worker.tell(new Woken()));
        }
    }

    /** How it is now. */
    public RelayState state() {
        Running now = running;
        if (now == null) {
            return new RelayState(false, 0, true, false, brokers.troubles());
        }
        return new RelayState(
                true,
                now.ownership().count(),
                !now.ownership().isDatabaseDown() && now.workers().stream().noneMatch(Worker::isDatabaseDown),
                now.signals().isListening(),
                brokers.troubles());
    }
}
