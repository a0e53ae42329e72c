package io.inboxkit.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The consumer in a JVM of its own. */
final class ConsumerProcess {

    /** The time between two looks at what happens. */
    static final Duration BREATH = Duration.ofMillis(500);

    private static final Duration LONGEST_STOP = Duration.ofSeconds(30);

    private final Process process;
    private volatile boolean standsStill;

    ConsumerProcess(Process process) {
        this.process = process;
        Thread reader = new Thread(this::readOutput, "consumer-output");
        reader.setDaemon(true);
        reader.start();
    }

    long pid() {
        return process.pid();
    }

    /** Whether it has committed the transaction after which it was to stand still. */
    boolean standsStill() {
        return standsStill;
    }

    /**
     * Waits, and makes sure that the consumer is still there afterwards.
     *
     * @throws IllegalStateException if it has ended
     */
    void requireAliveFor(Duration duration) throws InterruptedException {
        if (process.waitFor(duration.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("The consumer ended unexpectedly with exit code " + process.exitValue()
                    + "; what it said before is above");
        }
    }

    /** Ends it without any chance to react: SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Ends it in good order: it acknowledges what it has done and leaves its group. */
    void stop() throws IOException, InterruptedException {
        process.getOutputStream().close();
        if (!process.waitFor(LONGEST_STOP.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("The consumer did not stop within " + LONGEST_STOP.toSeconds() + " s");
        }
    }

    private void readOutput() {
        try (BufferedReader output = process.inputReader()) {
            String line;
            while ((line = output.readLine()) != null) {
                if (line.equals(DeliveryLog.STANDS_STILL)) {
                    standsStill = true;
                } else {
                    System.out.println("        | " + line);
                }
            }
        } catch (IOException e) {
            // The process is gone, and its pipe with it.
        }
    }

    /** Something that becomes true while the consumer runs. */
    @FunctionalInterface
    interface Condition {
        boolean holds() throws Exception;
    }
}
