package io.inboxkit.outbox.relay;

import io.inboxkit.outbox.BrokerPublisher;
import io.inboxkit.outbox.PublishResult;
import io.inboxkit.outbox.StoredMessage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A publisher with faults in front of a real one. */
final class FaultyPublisher implements BrokerPublisher {

    private final BrokerPublisher real;
    private volatile Function<StoredMessage, @Nullable PublishResult> fault = message -> null;

    FaultyPublisher(BrokerPublisher real) {
        this.real = real;
    }

    /** A message for which a result is given does not reach the broker. */
    void fail(Function<StoredMessage, @Nullable PublishResult> newFault) {
        fault = newFault;
    }

    void work() {
        fault = message -> null;
    }

    @Override
    public String scheme() {
        return real.scheme();
    }

    @Override
    public void send(StoredMessage message, Consumer<PublishResult> result) {
        PublishResult failed = fault.apply(message);
        if (failed == null) {
            real.send(message, result);
        } else {
            result.accept(failed);
        }
    }

    @Override
    public void close() {
        real.close();
    }
}
