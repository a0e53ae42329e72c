package io.inboxkit;

/**
 * The position of a message of a consumer that {@linkplain Tracking#POSITION remembers positions only}. Two positions of
 * one partition are compared by leader epoch first, where both are known, and by offset then.
 */
public interface TrackedPosition {

    /** The leader epoch of a message whose log does not tell it. */
    int UNKNOWN_EPOCH = -1;

    /** Where the message stands. */
    Position position();

    /**
     * The epoch of the leader that has written the message, or {@link #UNKNOWN_EPOCH}. It grows along the log, so a message with a
     * higher one than a later message was written after the log had been truncated.
     */
    int leaderEpoch();

    /**
     * Called, in the open transaction, before the message is skipped: asks the source whether it is still the log of this
     * position, and not another one of the same name.
     *
     * @throws UndecidedMessageException if it is not, or cannot be asked: the message must be fetched again
     */
    void confirm();
}
