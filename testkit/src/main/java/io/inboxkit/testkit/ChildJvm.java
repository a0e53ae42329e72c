package io.inboxkit.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A main class in a JVM of its own, with the class path of this one, for tests that kill it. It uses no service of this JVM
 * by itself: hand addresses over as system properties. Closing it kills it.
 */
public final class ChildJvm implements AutoCloseable {

    private static final Duration EXIT = Duration.ofSeconds(30);

    private final Process process;
    private final BlockingQueue<String> unread = new LinkedBlockingQueue<>();
    private final List<String> output = new CopyOnWriteArrayList<>();

    private ChildJvm(Process process) {
        this.process = process;
        Thread reader = new Thread(this::read, "child-jvm-output");
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts {@code main} with system properties. */
    public static ChildJvm start(Class<?> main, Map<String, String> properties, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        properties.forEach((name, value) -> command.add("-D" + name + "=" + value));
        command.add("-cp");
        command.add(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        command.add(main.getName());
        command.addAll(List.of(arguments));
        try {
            return new ChildJvm(
                    new ProcessBuilder(command).redirectErrorStream(true).start());
        } catch (IOException e) {
            throw new UncheckedIOException("A JVM for " + main.getName() + " could not be started", e);
        }
    }

    /** The system property that arms one {@link KillPoint}. */
    public static Map<String, String> armed(String killPoint) {
        return Map.of(KillPoint.PROPERTY, killPoint);
    }

    /** Returns when the child stands at the kill point. */
    public void awaitKillPoint(String name, Duration limit) {
        awaitLine(Pattern.quote(KillPoint.PREFIX + name), limit);
    }

    /**
     * Waits for a line, of standard output or error, that contains a match; lines before it are passed over.
     *
     * @throws AssertionError with all output, if none comes within the limit
     */
    public String awaitLine(String regex, Duration limit) {
        Pattern pattern = Pattern.compile(regex);
        long deadline = System.nanoTime() + limit.toNanos();
        try {
            while (true) {
                String line = unread.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (line == null) {
                    throw new AssertionError(
                            "No line with '" + regex + "' within " + limit + ". The child said:\n" + output());
                }
                if (pattern.matcher(line).find()) {
                    return line;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting for '" + regex + "'", e);
        }
    }

    /** Everything that the child has written. */
    public String output() {
        return String.join("\n", output);
    }

    /** SIGKILL: nothing of the child runs any more when this returns, and its connections are closed. */
    public void kill() {
        process.destroyForcibly();
        awaitExit();
    }

    /** SIGTERM: waits until the child has shut down. Its exit code is returned. */
    public int stop() {
        process.destroy();
        return awaitExit();
    }

    /** SIGSTOP: the child stands still and keeps its connections. */
    public void freeze() {
        signal("STOP");
    }

    /** SIGCONT: a frozen child goes on. */
    public void thaw() {
        signal("CONT");
    }

    /** Waits for the end of the child and returns its exit code. */
    public int awaitExit() {
        try {
            if (!process.waitFor(EXIT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("The child has not ended within " + EXIT + ". It said:\n" + output());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting for the end of the child", e);
        }
    }

    @Override
    public void close() {
        kill();
    }

    private void signal(String name) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("SIG" + name + " could not be sent, the child has ended:\n" + output());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("There is no command 'kill' to send SIG" + name, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read() {
        try (BufferedReader reader = process.inputReader(UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                output.add(line);
                unread.add(line);
            }
        } catch (IOException e) {
            // The child was killed while it was writing.
        }
    }
}
