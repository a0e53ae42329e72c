package io.inboxkit.outbox.relay;

import io.inboxkit.outbox.OwnedPartition;
import io.inboxkit.outbox.RelayPartitions;
import io.inboxkit.outbox.RelayPartitions.Shares;
import io.inboxkit.outbox.relay.Mailbox.Granted;
import io.inboxkit.outbox.relay.Mailbox.Lost;
import io.inboxkit.outbox.relay.Mailbox.Recalled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * The thread that keeps this relay known, takes its share of the partitions for the workers, and gives up what is more than its
 * share. It is never busy with messages, so that the lease is prolonged whatever the workers wait for.
 */
final class Ownership implements Runnable {

    private static final Duration LONGEST_INTERVAL = Duration.ofSeconds(1);
    private static final Logger LOG = LoggerFactory.getLogger(Ownership.class);

    private final RelayPartitions partitions;
    private final Duration duration;
    private final Lease lease;
    private final String name;
    private final Map<Integer, OwnedPartition> owned = new HashMap<>();
    private final Set<Integer> recalled = new HashSet<>();
    private final LinkedBlockingQueue<OwnedPartition> released = new LinkedBlockingQueue<>();
    private List<Worker> workers = List.of();
    private @Nullable String relay;
    private volatile boolean databaseDown;
    private volatile boolean stopping;
    private volatile int count;

    Ownership(RelayPartitions partitions, Duration duration, Lease lease, String name) {
        this.partitions = partitions;
        this.duration = duration;
        this.lease = lease;
        this.name = name;
    }

    void workers(List<Worker> all) {
        workers = all;
    }

    /** Nothing of the partition is under way any more. */
    void released(OwnedPartition partition) {
        released.add(partition);
    }

    int count() {
        return count;
    }

    boolean isDatabaseDown() {
        return databaseDown;
    }

    /** To be called when the workers have ended: gives up everything. */
    void stop() {
        stopping = true;
    }

    @Override
    public void run() {
        long interval = Math.min(LONGEST_INTERVAL.toNanos(), duration.toNanos() / 10);
        try {
            while (!stopping) {
                attempt(this::tick);
                count = owned.size();
                OwnedPartition first = released.poll(interval, TimeUnit.NANOSECONDS);
                if (first != null) {
                    attempt(() -> release(first));
                }
            }
        } catch (InterruptedException e) {
            // The end of the thread.
        }
        String known = relay;
        if (known != null) {
            attempt(() -> partitions.leave(known));
        }
        count = 0;
    }

    private void attempt(Runnable statements) {
        try {
            statements.run();
            databaseDown = false;
        } catch (DataAccessException | TransactionException e) {
            if (!databaseDown) {
                LOG.warn("The relay cannot renew its lease and tries again; it publishes until the lease ends", e);
            }
            databaseDown = true;
        } catch (RuntimeException e) {
            LOG.error("The relay came upon an error of its own while it shared out partitions", e);
        }
    }

    private void tick() {
        String known = relay;
        if (known == null) {
            known = name + "/" + UUID.randomUUID();
            long sentAt = System.nanoTime();
            partitions.join(known, duration);
            lease.prolonged(known, sentAt, duration);
            relay = known;
        } else if (lease.left() < duration.toNanos() * 2 / 3) {
            long sentAt = System.nanoTime();
            if (!partitions.renew(known, duration)) {
                lose("its lease has ended before it could be prolonged");
                return;
            }
            lease.prolonged(known, sentAt, duration);
        }
        share(known, partitions.shares(known));
    }

    private void lose(String reason) {
        LOG.warn("The relay has lost its {} partitions: {}. It begins anew.", owned.size(), reason);
        relay = null;
        owned.clear();
        recalled.clear();
        released.clear();
        workers.forEach(worker -> worker.tell(new Lost()));
    }

    private void share(String known, Shares shares) {
        Set<Integer> listed = new HashSet<>();
        for (OwnedPartition partition : shares.owned()) {
            listed.add(partition.number());
            if (!recalled.contains(partition.number()) && !partition.equals(owned.get(partition.number()))) {
                grant(partition);
            }
        }
        if (!listed.containsAll(owned.keySet())) {
            partitions.leave(known);
            lose("somebody else has taken them");
            return;
        }
        int fair = (shares.total() + Math.max(1, shares.relays()) - 1) / Math.max(1, shares.relays());
        int mine = owned.size() - recalled.size();
        if (mine > fair) {
            recall(mine - fair);
        } else if (mine < fair && shares.free() > 0) {
            partitions.take(known, fair - mine).forEach(this::grant);
        }
    }

    private void grant(OwnedPartition partition) {
        owned.put(partition.number(), partition);
        worker(partition).tell(new Granted(partition));
    }

    private void recall(int surplus) {
        List<OwnedPartition> some = new ArrayList<>(owned.values());
        some.removeIf(partition -> recalled.contains(partition.number()));
        for (OwnedPartition partition : some.subList(0, surplus)) {
            recalled.add(partition.number());
            worker(partition).tell(new Recalled(partition));
        }
    }

    private void release(OwnedPartition first) {
        List<OwnedPartition> all = new ArrayList<>(List.of(first));
        released.drainTo(all);
        all.removeIf(partition -> !recalled.contains(partition.number()));
        try {
            partitions.release(all);
        } catch (DataAccessException | TransactionException e) {
            released.addAll(all);
            throw e;
        }
        for (OwnedPartition partition : all) {
            owned.remove(partition.number());
            recalled.remove(partition.number());
        }
    }

    private Worker worker(OwnedPartition partition) {
        return workers.get(partition.number() % workers.size());
    }
}
