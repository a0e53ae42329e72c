package io.inboxkit.rabbitmq;

import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
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
    private final long tag;
    private final String position;
    private final Channel proxy;
    private Phase phase = Phase.OPEN;
    private @Nullable Settlement acknowledgement;
    private @Nullable Settlement refusal;

    /**
     * @param tag the delivery that the handler was called for
     * @param position where the message stands, for messages
     */
    DeferredChannel(Channel real, long tag, String position) {
        this.real = real;
        this.tag = tag;
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

    private @Nullable Settlement settlementOf(String method, Object[] arguments) {
        return switch (method) {
            case "basicAck" ->
                covered((long) arguments[0], (boolean) arguments[1])
                        ? new Settlement(true, channel -> channel.basicAck((long) arguments[0], (boolean) arguments[1]))
                        : null;
            case "basicNack" ->
                covered((long) arguments[0], (boolean) arguments[1])
                        ? new Settlement(
                                false,
                                channel -> channel.basicNack(
                                        (long) arguments[0], (boolean) arguments[1], (boolean) arguments[2]))
                        : null;
            case "basicReject" ->
                covered((long) arguments[0], false)
                        ? new Settlement(
                                false, channel -> channel.basicReject((long) arguments[0], (boolean) arguments[1]))
                        : null;
            default -> null;
        };
    }

    /** Whether such a settlement includes our delivery; 0 is all that there are. */
    private boolean covered(long settled, boolean multiple) {
        return settled == tag || (multiple && (settled == 0 || settled > tag));
    }

    private void settle(Settlement settlement) throws IOException {
        lock.lock();
        try {
            if (phase == Phase.ROLLED_BACK) {
                if (settlement.positive) {
                    LOG.warn(
                            "An acknowledgement of {} is dropped: it came after the transaction of that delivery was rolled"
                                    + " back. Acknowledge in the handler, on its own thread",
                            position);
                    return;
                }
            } else if (phase == Phase.OPEN) {
                if (settlement.positive && acknowledgement == null) {
                    acknowledgement = settlement;
                } else if (!settlement.positive && refusal == null) {
                    refusal = settlement;
                }
                return;
            }
            if (acknowledgement != null || refusal != null) {
                // A second settlement would close the channel, with all that others have unacknowledged on it.
                return;
            }
            acknowledgement = settlement;
        } finally {
            lock.unlock();
        }
        settlement.call.on(real);
    }

    /** Whether the handler refuses its delivery, so that its transaction must be rolled back. */
    boolean refused() {
        return refusal != null;
    }

    /** The transaction was committed: what the handler acknowledged is acknowledged now, what comes later at once. */
    void committed() {
        Settlement due = end(Phase.COMMITTED) ? acknowledgement : null;
        if (due != null) {
            tell(due, "processed", ", and skipped");
        }
    }

    /** The transaction was rolled back: nothing is acknowledged, now or later. */
    void rolledBack() {
        end(Phase.ROLLED_BACK);
    }

    /** After the rollback: what the handler refused is refused. */
    void refuse() {
        Settlement due = refusal;
        if (due != null) {
            tell(due, "refused by its handler", "");
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

    private record Settlement(boolean positive, Call call) {}

    @FunctionalInterface
    private interface Call {
        void on(Channel channel) throws IOException;
    }
}
