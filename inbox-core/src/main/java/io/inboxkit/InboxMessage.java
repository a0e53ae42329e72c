package io.inboxkit;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One message as the inbox sees it: who consumes it, its id, and what helps to tell a redelivery from a reused id.
 * Immutable.
 */
public final class InboxMessage {

    private final String consumer;
    private final @Nullable String id;
    private final @Nullable String scope;
    private final @Nullable Position position;
    private final byte @Nullable [] fingerprint;
    private final @Nullable TrackedPosition tracked;
    private final DeliveryRoute route;

    private InboxMessage(
            String consumer,
            @Nullable String id,
            @Nullable String scope,
            @Nullable Position position,
            byte @Nullable [] fingerprint,
            @Nullable TrackedPosition tracked,
            DeliveryRoute route) {
        this.consumer = consumer;
        this.id = id;
        this.scope = scope;
        this.position = position;
        this.fingerprint = fingerprint;
        this.tracked = tracked;
        this.route = route;
    }

    /**
     * A message with an id.
     *
     * @param consumer the stable name of the logical consumer, not blank
     * @param id the id as it was sent, not blank; any length and any characters
     * @throws IllegalArgumentException if one of them is blank
     */
    public static InboxMessage of(String consumer, String id) {
        if (Objects.requireNonNull(id, "id").isBlank()) {
            throw new IllegalArgumentException("The id of a message for consumer '" + consumer
                    + "' is blank. A blank id is a missing id: choose another source of the id");
        }
        return of(consumer, MessageId.ofText(id));
    }

    /** A message with an id that is already in the form in which ids are compared. */
    public static InboxMessage of(String consumer, MessageId id) {
        return new InboxMessage(notBlank(consumer), id.value(), null, null, null, null, DeliveryRoute.LIVE);
    }

    /** A message that has no id and is processed all the same, without protection against duplicates. */
    public static InboxMessage withoutId(String consumer) {
        return new InboxMessage(notBlank(consumer), null, null, null, null, null, DeliveryRoute.LIVE);
    }

    /**
     * A message that is known by its position alone; for a consumer whose messages all are, and come in the order of their
     * positions.
     */
    public static InboxMessage tracked(String consumer, TrackedPosition tracked) {
        return new InboxMessage(notBlank(consumer), null, null, tracked.position(), null, tracked, DeliveryRoute.LIVE);
    }

    private static String notBlank(String consumer) {
        if (Objects.requireNonNull(consumer, "consumer").isBlank()) {
            throw new IllegalArgumentException("The name of a consumer must not be blank");
        }
        return consumer;
    }

    /** This message within a scope, such as a tenant; {@code null} for none. */
    public InboxMessage scope(@Nullable String newScope) {
        return new InboxMessage(consumer, id, newScope, position, fingerprint, tracked, route);
    }

    /** This message with the position of its original; {@code null} where the transport has none. */
    public InboxMessage position(@Nullable Position newPosition) {
        return new InboxMessage(consumer, id, scope, newPosition, fingerprint, tracked, route);
    }

    /**
     * This message with the fingerprint of its payload bytes, canonical for JSON (see {@link Fingerprint}).
     *
     * @param payload the payload as it was on the wire
     */
    public InboxMessage fingerprint(byte[] payload) {
        return fingerprint(Fingerprint.of(payload, FingerprintMode.PAYLOAD));
    }

    /** This message with a fingerprint that is already computed; {@code null} for none. */
    public InboxMessage fingerprint(@Nullable Fingerprint newFingerprint) {
        return new InboxMessage(
                consumer,
                id,
                scope,
                position,
                newFingerprint == null ? null : newFingerprint.toBytes(),
                tracked,
                route);
    }

    /** This message as it came on a certain route; without this call it is {@link DeliveryRoute#LIVE}. */
    public InboxMessage route(DeliveryRoute newRoute) {
        return new InboxMessage(consumer, id, scope, position, fingerprint, tracked, newRoute);
    }

    public String consumer() {
        return consumer;
    }

    /** The id in the form in which ids are compared, or {@code null} if there is none. */
    public @Nullable String id() {
        return id;
    }

    public @Nullable String scope() {
        return scope;
    }

    public @Nullable Position position() {
        return position;
    }

    /** What the message is known by instead of an id, or {@code null} if it has an id or is not known by anything. */
    public @Nullable TrackedPosition tracked() {
        return tracked;
    }

    /** The fingerprint of the payload, 32 bytes, or {@code null} if there is none. */
    public byte @Nullable [] fingerprint() {
        return fingerprint == null ? null : fingerprint.clone();
    }

    /** How the message has come; of no weight for whether it is a duplicate. */
    public DeliveryRoute route() {
        return route;
    }

    /**
     * What logs and exceptions call this message.
     *
     * @param showId whether the id is shown as it is, as {@code inbox.log-message-ids} says; otherwise it is masked
     */
    public String describe(boolean showId) {
        String name = tracked == null
                ? (showId ? MaskedId.unmasked(id) : MaskedId.of(id))
                : "at offset " + tracked.position().offset() + " of partition "
                        + tracked.position().partition();
        return "message " + name + " of consumer '" + consumer + "'";
    }

    /** The consumer, with the id masked. */
    @Override
    public String toString() {
        return describe(false);
    }
}
