package io.inboxkit.demo;

import java.time.Duration;

/** Tells what happens, with the seconds since the start. */
final class Narrator {

    private final long start = System.nanoTime();
    private String lastProgress = "";

    void tell(String sentence) {
        long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
        System.out.printf("[%3d s] %s%n", seconds, sentence);
    }

    /** Tells how far it is, if that has changed. */
    void progress(String progress) {
        if (!progress.equals(lastProgress)) {
            lastProgress = progress;
            tell("   " + progress);
        }
    }
}
