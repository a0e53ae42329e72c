package io.inboxkit;

/**
 * What a handler can know of the attempt that it is: a parameter of this type of an {@link IdempotentConsumer} handler that takes
 * single messages. Valid while the handler runs, on its thread.
 */
public interface InboxAttempt {

    /**
     * A key for the effects of this message outside the database, to be handed to a provider that takes idempotency keys. It is
     * the same in all attempts, deliveries, replays and processes, and another one for another message, scope or consumer.
     *
     * <p>Of a message that is known by its position ({@link Tracking#POSITION}) the position takes the place of the id.
     *
     * <p>Its form is a UUID of version 8 in lower case, 36 characters: the first 128 bits of the SHA-256 over consumer, scope and id, each
     * as its length in bytes (4 bytes, big endian; -1 for no scope) and its UTF-8 bytes, with version and variant set. So
     * it depends on the name of the consumer: after {@link Inbox#rename} or another {@code consumer} attribute the keys are others. For
     * several calls to one provider append to it what tells them apart.
     *
     * @throws IllegalStateException if the message has no id ({@link MissingIdPolicy#PROCESS}), so that nothing would be the
     *     same in its next attempt
     */
    String idempotencyKey();

    /**
     * Which delivery of the message this is, from 1 on, as far as the container tells it; otherwise 1. It is told by
     * retry topics, by share groups, and by containers with {@code deliveryAttemptHeader}; then it may start again from 1 after a
     * restart or a rebalance. For logs and for alerts, not for decisions on correctness.
     */
    int number();

    /**
     * Whether an earlier attempt may have had an effect that was not rolled back with it. Always {@code false} in
     * {@link ProcessingMode#TRANSACTIONAL}, where the database writes of an attempt that failed are gone; nothing is told there of
     * calls to other systems, for which {@link #idempotencyKey()} is.
     */
    boolean mayHaveTakenEffect();

    /** Whether another attempt may have taken over. Never in {@link ProcessingMode#TRANSACTIONAL}: the claim ends with the transaction. */
    boolean expired();

    /** Whether the message is handled in a replay that somebody has asked for. */
    boolean replay();

    /**
     * Completes the message within the handler's own transaction.
     *
     * @throws IllegalStateException in {@link ProcessingMode#TRANSACTIONAL}, where the transaction of the inbox completes the message when
     *     the handler has returned
     */
    void complete();

    /**
     * The attempt of a handler in {@link ProcessingMode#TRANSACTIONAL}. Adapters hand it to handlers, and tests of handlers may do so.
     *
     * @param number which delivery of the message it is, from 1 on
     * @throws IllegalArgumentException if the number is less than 1
     */
    static InboxAttempt transactional(InboxMessage message, int number) {
        return new TransactionalAttempt(message, number);
    }
}
