package io.inboxkit.rabbitmq;

import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.rabbit.connection.ChannelProxy;

/**
 * What a handler gets in place of the container's channel, for one attempt of one transaction: an acknowledgement of its
 * delivery waits for the commit, and does not happen after a rollback. Everything else goes to the channel at once.
 * Thread-safe, since handlers may hand it on.
 */
final class DeferredChannel implements InvocationHandler {

    private static final Logger LOG = LoggerFactory.getLogger("io.inboxkit.rabbitmq");

    private final ReentrantLock lock = new ReentrantLock();
    private final Channel real;
    private final Set<Long> tags;
    private final String position;
    private final Channel proxy;
    private Phase phase = Phase.OPEN;
    private final List<Settlement> acknowledgements = new ArrayList<>();
    private final List<Settlement> refusals = new ArrayList<>();
    private final Set<Long> acknowledged = new HashSet<>();
    private final Set<Long> refused = new HashSet<>();

    /**
     * @param tags the deliveries that the handler was called for
     * @param position where the message stands, for messages
     */
    DeferredChannel(Channel real, Set<Long> tags, String position) {
        this.real = real;
        this.tags = Set.copyOf(tags);
        this.position = position;
        Class<?>[] types = real instanceof ChannelProxy
                ? new Class<?>[] {Channel.class, ChannelProxy.class}
                : new Class<?>[] {Channel.class};
        this.proxy = (Channel) Proxy.newProxyInstance(DeferredChannel.class.getClassLoader(), types, this);
    }

    /** The channel to give to the handler. */
    Channel proxy() {
        return proxy;
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        Object[] given = arguments == null ? new Object[0] : arguments;
        Settlement settlement = settlementOf(method.getName(), given);
        if (settlement != null) {
            settle(settlement);
            return null;
        }
        if ("equals".equals(method.getName())) {
            return self == given[0];
        }
        try {
            return method.invoke(real, given);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    /** {@code null} if it is not about our deliveries. */
    private @Nullable Settlement settlementOf(String method, Object[] arguments) {
        boolean positive = "basicAck".equals(method);
        if (!positive && !"basicNack".equals(method) && !"basicReject".equals(method)) {
            return null;
        }
        long tag = (long) arguments[0];
        boolean second = (boolean) arguments[1];
        boolean multiple = second && !"basicReject".equals(method);
        Set<Long> covered = new HashSet<>(tags);
        // 0 is all that there are.
        covered.removeIf(ours -> ours != tag && !(multiple && (tag == 0 || ours < tag)));
        if (covered.isEmpty()) {
            return null;
        }
        long reaches = !multiple ? 0 : tag == 0 ? Long.MAX_VALUE : tag;
        return new Settlement(positive, covered, reaches, channel -> {
            if (positive) {
                channel.basicAck(tag, multiple);
            } else if (arguments.length > 2) {
                channel.basicNack(tag, multiple, (boolean) arguments[2]);
            } else {
                channel.basicReject(tag, second);
            }
        });
    }

    private void settle(Settlement settlement) throws IOException {
        lock.lock();
        try {
            if (phase == Phase.ROLLED_BACK && settlement.positive) {
                LOG.warn(
                        "An acknowledgement of {} is dropped: it came after the transaction of that delivery was rolled"
                                + " back. Acknowledge in the handler, on its own thread",
                        position);
                return;
            }
            Set<Long> settled = settlement.positive ? acknowledged : refused;
            if (phase == Phase.OPEN) {
                // A second settlement would close the channel, with all that others have unacknowledged on it.
                if (settled.addAll(settlement.covered)) {
                    (settlement.positive ? acknowledgements : refusals).add(settlement);
                }
                return;
            }
            Set<Long> open = new HashSet<>(settlement.covered);
            open.removeAll(acknowledged);
            open.removeAll(refused);
            if (open.isEmpty()) {
                return;
            }
            settled.addAll(open);
        } finally {
            lock.unlock();
        }
        settlement.call.on(real);
    }

    /** Whether the handler refuses one of its deliveries, so that its transaction must be rolled back. */
    boolean refused() {
        return !refused.isEmpty();
    }

    /** The deliveries that the handler refuses. */
    Set<Long> refusedTags() {
        return Set.copyOf(refused);
    }

    /** Whether the handler has acknowledged a delivery, be it one that it was not called for. */
    boolean hasAcknowledged(long tag) {
        return acknowledgements.stream().anyMatch(call -> call.reaches >= tag);
    }

    /** The transaction was committed: what the handler acknowledged is acknowledged now, what comes later at once. */
    void committed() {
        if (end(Phase.COMMITTED)) {
            acknowledgements.forEach(due -> tell(due, "processed", ", and skipped"));
        }
    }

    /** The transaction was rolled back: nothing is acknowledged, now or later. */
    void rolledBack() {
        end(Phase.ROLLED_BACK);
    }

    /** After the rollback: what the handler refused is refused. */
    void refuse() {
        refusals.forEach(due -> tell(due, "refused by its handler", ""));
    }

    /** For a delivery that the handler was not called for, where the handler would have had to. */
    static void acknowledgeSkipped(Channel channel, ReceivedMessage delivery) {
        try {
            channel.basicAck(delivery.tag(), false);
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "{} is a duplicate, but the broker could not be told, since the channel is gone. It will be"
                            + " delivered again",
                    delivery.position(),
                    e);
        }
    }

    private boolean end(Phase end) {
        lock.lock();
        try {
            boolean first = phase == Phase.OPEN;
            phase = first ? end : phase;
            return first;
        } finally {
            lock.unlock();
        }
    }

    private void tell(Settlement due, String what, String then) {
        try {
            due.call.on(real);
        } catch (IOException | RuntimeException e) {
            // The transaction has ended: what the broker did not hear now, it hears at the next delivery.
            LOG.warn(
                    "{} was {}, but the broker could not be told, since the channel is gone. It will be delivered again{}",
                    position,
                    what,
                    then,
                    e);
        }
    }

    private enum Phase {
        OPEN,
        COMMITTED,
        ROLLED_BACK
    }

    /**
     * @param reaches the highest delivery that it settles with those before it; 0 if it settles single ones
     */
    private record Settlement(boolean positive, Set<Long> covered, long reaches, Call call) {}

    @FunctionalInterface
    private interface Call {
        void on(Channel channel) throws IOException;
    }
}
