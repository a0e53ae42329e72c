package io.inboxkit.kafka;

import java.time.Duration;
import org.springframework.kafka.support.Acknowledgment;

/** Rolls the transaction back after the handler has returned, because it wants the delivery to be put off. */
final class NackRequest extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Acknowledgment acknowledgment;
    private final Duration sleep;

    /**
     * @param acknowledgment the container's own
     */
    NackRequest(Acknowledgment acknowledgment, Duration sleep) {
        super("The handler has called nack(" + sleep + ")", null, false, false);
        this.acknowledgment = acknowledgment;
        this.sleep = sleep;
    }

    Acknowledgment acknowledgment() {
        return acknowledgment;
    }

    Duration sleep() {
        return sleep;
    }
}
