package io.inboxkit.outbox.relay;

import io.inboxkit.outbox.OwnedPartition;
import io.inboxkit.outbox.RelayMessages;
import io.inboxkit.outbox.relay.Mailbox.Ended;
import io.inboxkit.outbox.relay.Mailbox.Granted;
import io.inboxkit.outbox.relay.Mailbox.Letter;
import io.inboxkit.outbox.relay.Mailbox.Lost;
import io.inboxkit.outbox.relay.Mailbox.Recalled;
import io.inboxkit.outbox.relay.Mailbox.Woken;
import io.inboxkit.outbox.relay.RelaySettings.OnParked;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * One thread that publishes the messages of some partitions: it reads, hands over to the brokers and removes what they have
 * confirmed, without ever waiting for a broker; a transaction is never open while it talks to one.
 */
final class Worker implements Runnable {

    private static final long SHORT_WAIT = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LONG_WAIT = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long PAUSE_WITHOUT_DATABASE = TimeUnit.SECONDS.toNanos(1);
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    private final RelaySettings settings;
    private final RelayMessages messages;
    private final Lease lease;
    private final Consumer<OwnedPartition> released;
    private final Mailbox mailbox = new Mailbox();
    private final Window window;
    private final Reader reader;
    private final Outcomes outcomes;
    private final Sending sending;
    private final Outcomes.Receivers receivers;
    /** Granted, but not yet read. */
    private final Map<Integer, OwnedPartition> granted = new HashMap<>();

    private final Map<Integer, OwnedPartition> recalled = new HashMap<>();
    private boolean woken;
    private volatile boolean databaseDown;
    private long retryDatabaseAt;
    private volatile boolean stopping;

    Worker(
            RelaySettings settings,
            RelayMessages messages,
            Lease lease,
            Brokers brokers,
            Consumer<OwnedPartition> released) {
        this.settings = settings;
        this.messages = messages;
        this.lease = lease;
        this.released = released;
        int capacity = Math.max(16, settings.batchSize() * 8);
        this.window = new Window(capacity, brokers::publisher);
        this.reader = new Reader(messages, settings.batchSize());
        this.outcomes = new Outcomes(messages, settings.batchSize());
        this.sending = new Sending(settings, lease, window, reader, outcomes, mailbox, brokers);
        this.receivers =
                new Outcomes.Receivers((entry, done) -> window.forget(entry), sending::counted, sending::parked);
    }

    void tell(Letter letter) {
        mailbox.put(letter);
    }

    /** Everything under way is awaited, nothing more is sent; the thread ends when that is done. */
    void stop() {
        stopping = true;
        mailbox.put(new Woken());
    }

    @Override
    public void run() {
        boolean busy = true;
        try {
            while (!stopping || sending.isUnderWay() || (!outcomes.isEmpty() && !databaseDown)) {
                for (Letter letter : mailbox.take(busy ? 0 : patience())) {
                    accept(letter);
                }
                busy = step();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private long patience() {
        if (!outcomes.isEmpty()) {
            return SHORT_WAIT;
        }
        return LONG_WAIT;
    }

    private void accept(Letter letter) {
        if (letter instanceof Ended ended) {
            sending.ended(ended.entry(), ended.result());
        } else if (letter instanceof Woken) {
            woken = true;
        } else if (letter instanceof Granted grant) {
            int number = grant.partition().number();
            recalled.remove(number);
            drop(number);
            granted.put(number, grant.partition());
        } else if (letter instanceof Recalled recall) {
            int number = recall.partition().number();
            granted.remove(number);
            drop(number);
            recalled.put(number, recall.partition());
        } else if (letter instanceof Lost) {
            granted.clear();
            recalled.clear();
            new HashSet<>(reader.partitions()).forEach(this::drop);
        }
    }

    private void drop(int partition) {
        reader.disown(partition);
        window.drop(entry -> entry.waiting.partition() == partition);
    }

    /** Does what can be done now; gives whether there is more. */
    private boolean step() {
        boolean sent = !stopping && sending.send();
        if (databaseDown && System.nanoTime() - retryDatabaseAt < 0) {
            return false;
        }
        try {
            boolean read = !stopping && read();
            boolean due = outcomes.isDue(!read && !sent);
            if (due) {
                outcomes.write(receivers);
            }
            release();
            if (databaseDown) {
                databaseDown = false;
                LOG.info("The relay reaches its database again");
            }
            return sent || read || due;
        } catch (DataAccessException | TransactionException e) {
            if (!databaseDown) {
                LOG.warn("The relay does not reach its database and tries again every second", e);
            }
        } catch (RuntimeException e) {
            LOG.error("The relay came upon an error of its own; it goes on in a second", e);
        }
        databaseDown = true;
        retryDatabaseAt = System.nanoTime() + PAUSE_WITHOUT_DATABASE;
        return false;
    }

    private boolean read() {
        if (!granted.isEmpty()) {
            reader.own(
                    granted.values(),
                    settings.onParked() == OnParked.HOLD_KEY ? messages.lanesWithParked(granted.keySet()) : Map.of());
            granted.clear();
        }
        if (woken && reader.isExhausted()) {
            reader.begin();
            woken = false;
        }
        sending.resume();
        return reader.hasMore() && window.hasRoomForMany() && lease.left() > 0 && reader.read(sending);
    }

    private void release() {
        for (OwnedPartition partition : new ArrayList<>(recalled.values())) {
            if (!window.holds(partition.number())) {
                recalled.remove(partition.number());
                released.accept(partition);
            }
        }
    }

    /** Whether the database could not be reached lately. */
    boolean isDatabaseDown() {
        return databaseDown;
    }
}
