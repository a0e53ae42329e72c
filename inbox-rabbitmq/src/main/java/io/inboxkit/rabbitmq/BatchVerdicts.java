package io.inboxkit.rabbitmq;

import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

/**
 * What becomes of the deliveries of a batch. Where the container acknowledges, it settles the last one and with it all before it
 * that are unsettled, in one way; so those that end otherwise are settled here, and the last one never is: settled twice it
 * would close the channel. Confined to the consumer's thread.
 */
final class BatchVerdicts {

    private static final Logger LOG = LoggerFactory.getLogger("io.inboxkit.rabbitmq");

    private final TreeMap<Long, Verdict> verdicts = new TreeMap<>();
    private final AbstractMessageListenerContainer container;
    private final MessageSettlement settlement;
    private final Channel channel;

    BatchVerdicts(AbstractMessageListenerContainer container, MessageSettlement settlement, Channel channel) {
        this.container = container;
        this.settlement = settlement;
        this.channel = channel;
    }

    /** A delivery of many messages ends as the worst of them. */
    void add(ReceivedMessage delivery, Kind kind, @Nullable Exception reason) {
        verdicts.merge(
                delivery.tag(),
                new Verdict(kind, reason),
                (one, other) -> one.kind.compareTo(other.kind) >= 0 ? one : other);
    }

    /**
     * Settles what the container will not, and lets the container do the rest.
     *
     * @throws RuntimeException the failure that the container must hear of
     */
    void settle() {
        if (verdicts.isEmpty()) {
            return;
        }
        boolean manual = settlement.isManual();
        Map.Entry<Long, Verdict> last = verdicts.lastEntry();
        Kind rest = manual ? Kind.HANDLED : last.getValue().kind;
        for (Map.Entry<Long, Verdict> each : verdicts.entrySet()) {
            if (manual || !each.getKey().equals(last.getKey())) {
                settle(each.getKey(), each.getValue(), rest, manual);
            }
        }
        Verdict told = manual
                ? verdicts.values().stream()
                        .filter(verdict -> verdict.kind == Kind.FAILED)
                        .findFirst()
                        .orElse(null)
                : last.getValue();
        if (told != null) {
            tell(told);
        }
    }

    private void settle(long tag, Verdict verdict, Kind rest, boolean manual) {
        boolean others = manual
                ? verdict.kind == Kind.HANDLED || verdict.kind == Kind.FAILED
                : verdict.kind == Kind.HANDLED && rest == Kind.HANDLED;
        if (others || !settlement.isFirstFor(tag)) {
            return;
        }
        try {
            switch (verdict.kind) {
                case HANDLED -> channel.basicAck(tag, false);
                case FAILED -> channel.basicReject(tag, ContainerAccess.requeues(container, reasonOf(verdict)));
                case REFUSED -> channel.basicReject(tag, false);
                case RETURNED -> channel.basicNack(tag, false, true);
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "Delivery {} of a batch is {}, but the broker could not be told, since the channel is gone. It will be"
                            + " delivered again",
                    tag,
                    verdict.kind,
                    e);
        }
    }

    private void tell(Verdict verdict) {
        switch (verdict.kind) {
            case HANDLED -> {}
            case FAILED -> throw BatchVerdicts.<RuntimeException>unchanged(reasonOf(verdict));
            case REFUSED -> settlement.rejectAnyway(reasonOf(verdict));
            case RETURNED -> settlement.giveBack(reasonOf(verdict));
        }
    }

    private static Exception reasonOf(Verdict verdict) {
        return verdict.reason == null ? new IllegalStateException("no reason") : verdict.reason;
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Exception> E unchanged(Exception failure) throws E {
        throw (E) failure;
    }

    /** From the best to the worst. */
    enum Kind {
        /** Processed, or a duplicate. */
        HANDLED,
        /** Not handed to the handler, and never will be. */
        REFUSED,
        /** The handler failed. */
        FAILED,
        /** Could not be decided. */
        RETURNED
    }

    private record Verdict(Kind kind, @Nullable Exception reason) {}
}
