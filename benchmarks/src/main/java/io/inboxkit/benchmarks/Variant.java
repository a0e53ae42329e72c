package io.inboxkit.benchmarks;

/** One way to process deliveries, each in one transaction. Thread-safe. */
interface Variant {

    /** The name in tables and ratios. */
    String name();

    /** Processes one delivery and returns when its transaction has ended. */
    void deliver(Delivery delivery);
}
