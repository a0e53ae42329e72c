package io.inboxkit.testkit;

import java.util.concurrent.CountDownLatch;

/**
 * A named point in the code of a {@link ChildJvm} where its parent may kill or freeze it. An armed point says that it was
 * reached and waits there for ever; any other returns at once.
 */
public final class KillPoint {

    static final String PROPERTY = "inbox.test.kill-point";
    static final String PREFIX = "KILLPOINT ";

    private KillPoint() {}

    /** To be called where the point is. */
    public static void reached(String name) {
        if (name.equals(System.getProperty(PROPERTY))) {
            System.out.println(PREFIX + name);
            System.out.flush();
            waitForEver();
        }
    }

    private static void waitForEver() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
