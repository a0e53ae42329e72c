package io.inboxkit.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Connection;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A private node of the {@code rabbitmq-server} that is installed on this machine: own ports, own directory, and no other node
 * knows of it. Tests may stop, kill and start it again; what is durable survives. Not thread-safe.
 */
public final class RabbitNode implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration STOP = Duration.ofSeconds(30);
    /** Where Debian, Homebrew and the generic package have the scripts; Debian's wrapper in the path only serves the system. */
    private static final List<String> PLACES = List.of(
            "/usr/lib/rabbitmq/bin", "/opt/homebrew/sbin", "/usr/local/sbin", "/opt/rabbitmq/sbin", "/usr/sbin");

    private final Path scripts;
    private final Path directory;
    private final int port;
    private final Map<String, String> environment;
    private @Nullable Process process;

    private RabbitNode(Path scripts, List<String> settings) {
        this.scripts = scripts;
        try {
            directory = Files.createTempDirectory("inboxkit-rabbitmq");
            port = freePort();
            List<String> configuration = new ArrayList<>(List.of(
                    "listeners.tcp.1 = 127.0.0.1:" + port,
                    "log.console.level = warning",
                    "disk_free_limit.absolute = 50MB"));
            configuration.addAll(settings);
            Files.write(directory.resolve("rabbitmq.conf"), configuration, UTF_8);
            Files.writeString(directory.resolve("plugins"), "[].\n", UTF_8);
            environment = Map.ofEntries(
                    Map.entry("HOME", directory.toString()),
                    Map.entry("RABBITMQ_NODENAME", "inbox" + port + "@localhost"),
                    Map.entry("RABBITMQ_NODE_PORT", Integer.toString(port)),
                    Map.entry("RABBITMQ_DIST_PORT", Integer.toString(freePort())),
                    Map.entry("ERL_EPMD_PORT", Integer.toString(freePort())),
                    Map.entry("ERL_EPMD_ADDRESS", "127.0.0.1"),
                    Map.entry(
                            "RABBITMQ_CONF_ENV_FILE", directory.resolve("none").toString()),
                    Map.entry(
                            "RABBITMQ_CONFIG_FILE",
                            directory.resolve("rabbitmq.conf").toString()),
                    Map.entry("RABBITMQ_MNESIA_BASE", directory.resolve("data").toString()),
                    Map.entry("RABBITMQ_LOG_BASE", directory.resolve("log").toString()),
                    Map.entry("RABBITMQ_LOGS", "-"),
                    Map.entry(
                            "RABBITMQ_ENABLED_PLUGINS_FILE",
                            directory.resolve("plugins").toString()));
        } catch (IOException e) {
            throw new UncheckedIOException("A RabbitMQ node could not be set up", e);
        }
    }

    /**
     * Whether {@code rabbitmq-server} is installed, so that a node can be started; {@code INBOX_TEST_RABBITMQ_NODE=off} takes
     * it for absent.
     */
    public static boolean isInstalled() {
        return !"off".equals(ServiceSource.setting("INBOX_TEST_RABBITMQ_NODE")) && scripts() != null;
    }

    /**
     * Starts a node and returns when it answers.
     *
     * @param settings lines of {@code rabbitmq.conf}
     */
    public static RabbitNode started(String... settings) {
        Path scripts = scripts();
        if (scripts == null) {
            throw new IllegalStateException("rabbitmq-server is not installed; looked in the path and in " + PLACES
                    + ". Install it with the package manager of this machine");
        }
        RabbitNode node = new RabbitNode(scripts, List.of(settings));
        try {
            node.start();
            return node;
        } catch (RuntimeException e) {
            node.close();
            throw e;
        }
    }

    private static @Nullable Path scripts() {
        Stream<String> path = Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .filter(place -> !place.isEmpty());
        return Stream.concat(PLACES.stream(), path)
                .map(Path::of)
                .filter(place -> Files.isExecutable(place.resolve("rabbitmq-server"))
                        && Files.isExecutable(place.resolve("rabbitmqctl")))
                .findFirst()
                .orElse(null);
    }

    /** Where the node listens, also while it is stopped. */
    public RabbitAddress address() {
        return RabbitAddress.local(port);
    }

    /** Starts the node again, with what it has stored. */
    public void start() {
        process = launch(directory.resolve("node.txt"), List.of("rabbitmq-server"));
        await("the RabbitMQ node on port " + port)
                .atMost(START)
                .ignoreExceptions()
                .until(this::answers);
    }

    private boolean answers() throws Exception {
        if (process == null || !process.isAlive()) {
            throw new IllegalStateException("The RabbitMQ node has exited: " + output());
        }
        try (Connection connection = address().connectionFactory().newConnection("probe")) {
            return connection.isOpen();
        }
    }

    /** Shuts the node down as an operator would; connections are closed. */
    public void stop() {
        end(ProcessHandle::destroy);
    }

    /** Ends the node at once, as a power failure would. */
    public void kill() {
        end(ProcessHandle::destroyForcibly);
    }

    private void end(Consumer<ProcessHandle> way) {
        Process running = process;
        if (running == null) {
            return;
        }
        // The script waits for the Erlang machine, which has helpers of its own.
        List<ProcessHandle> all = Stream.concat(Stream.of(running.toHandle()), running.descendants())
                .toList();
        all.stream().filter(RabbitNode::isErlangMachine).forEach(way);
        try {
            if (!running.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("The RabbitMQ node did not stop: " + output());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            all.forEach(ProcessHandle::destroyForcibly);
            process = null;
        }
    }

    private static boolean isErlangMachine(ProcessHandle handle) {
        return handle.info()
                .command()
                .filter(command -> command.contains("beam"))
                .isPresent();
    }

    /** Runs {@code rabbitmqctl} against the node and returns what it prints. */
    public String ctl(String... arguments) {
        List<String> command = new ArrayList<>(List.of("rabbitmqctl"));
        command.addAll(List.of(arguments));
        Path file = directory.resolve("ctl.txt");
        try {
            Process ctl = launch(file, command);
            if (!ctl.waitFor(START.toSeconds(), TimeUnit.SECONDS) || ctl.exitValue() != 0) {
                ctl.destroyForcibly();
                throw new IllegalStateException(command + " failed: " + Files.readString(file, UTF_8));
            }
            return Files.readString(file, UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted during " + command, e);
        }
    }

    private Process launch(Path output, List<String> command) {
        List<String> absolute = new ArrayList<>(command);
        absolute.set(0, scripts.resolve(command.get(0)).toString());
        ProcessBuilder builder = new ProcessBuilder(absolute)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not run " + absolute, e);
        }
    }

    private String output() {
        try {
            return Files.readString(directory.resolve("node.txt"), UTF_8);
        } catch (IOException e) {
            return "(its output cannot be read: " + e + ")";
        }
    }

    /** Stops the node, and deletes what it has stored. */
    @Override
    public void close() {
        kill();
        endPortMapper();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            // It is in the directory for temporary files.
        }
    }

    /** The node starts one of its own, which would outlive it. */
    private void endPortMapper() {
        try {
            ProcessBuilder builder = new ProcessBuilder("epmd", "-kill")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD);
            builder.environment().putAll(environment);
            builder.start().waitFor(5, TimeUnit.SECONDS);
        } catch (IOException e) {
            // Not in the path of every installation: then it stays, without a node and idle.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
