package io.inboxkit.rabbitmq;

/** Rolls the transaction back after the handler has returned, because it has refused the delivery by its channel. */
final class RefusalRequest extends RuntimeException {

    private static final long serialVersionUID = 1L;

    RefusalRequest() {
        super("The handler has called basicNack or basicReject", null, false, false);
    }
}
