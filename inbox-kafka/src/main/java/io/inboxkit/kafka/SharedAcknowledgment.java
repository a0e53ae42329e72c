package io.inboxkit.kafka;

import java.time.Duration;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.kafka.support.ShareAcknowledgment;

/**
 * The acknowledgment of a share group in the words of the other containers, so that it waits for the commit in the same way:
 * to release a record is a {@code nack}, and to reject it another way to acknowledge it.
 */
final class SharedAcknowledgment implements Acknowledgment {

    private final ShareAcknowledgment real;
    private volatile boolean rejected;

    /**
     * @param real the container's own
     */
    SharedAcknowledgment(ShareAcknowledgment real) {
        this.real = real;
    }

    @Override
    public void acknowledge() {
        if (rejected) {
            real.reject();
        } else {
            real.acknowledge();
        }
    }

    @Override
    public void nack(Duration sleep) {
        real.release();
    }

    /** Keeps the record and its lock: the next poll returns it again, which does not count as a delivery. */
    void postpone() {
        real.renew();
    }

    /**
     * What the handler gets in one attempt; what it said in an earlier one, which was rolled back, is forgotten.
     *
     * @param deferred waits for the commit
     */
    ShareAcknowledgment over(Acknowledgment deferred) {
        rejected = false;
        return new OfHandler(deferred);
    }

    private final class OfHandler implements ShareAcknowledgment {

        private final Acknowledgment deferred;

        OfHandler(Acknowledgment deferred) {
            this.deferred = deferred;
        }

        @Override
        public void acknowledge() {
            deferred.acknowledge();
        }

        @Override
        public void release() {
            deferred.nack(Duration.ZERO);
        }

        @Override
        public void reject() {
            rejected = true;
            deferred.acknowledge();
        }

        @Override
        public void renew() {
            real.renew();
        }
    }
}
