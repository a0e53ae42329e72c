package io.inboxkit.outbox;

/**
 * A partition that a relay has taken.
 *
 * @param number its number
 * @param owner the relay
 * @param epoch grows with each take-over
 * @param revision grows when an operator has changed what is parked
 */
public record OwnedPartition(int number, String owner, long epoch, long revision) {}
