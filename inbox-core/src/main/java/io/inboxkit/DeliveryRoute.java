package io.inboxkit;

/** How a message has come to its handler. */
public enum DeliveryRoute {
    /** From the topic or queue that it was sent to. */
    LIVE(false, false),
    /** From a retry or dead-letter topic, as a copy. */
    DEAD_LETTER(true, false),
    /** By a replay of the topic that it was sent to. */
    REPLAY(false, true),
    /** By a replay of a dead-letter topic. */
    DEAD_LETTER_REPLAY(true, true);

    private final boolean deadLetter;
    private final boolean replay;

    DeliveryRoute(boolean deadLetter, boolean replay) {
        this.deadLetter = deadLetter;
        this.replay = replay;
    }

    /** Whether the delivery is a copy that failure handling has made. */
    public boolean isDeadLetter() {
        return deadLetter;
    }

    /** Whether somebody has asked for the delivery. */
    public boolean isReplay() {
        return replay;
    }
}
