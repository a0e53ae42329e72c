package io.inboxkit.demo;

import io.inboxkit.demo.billing.BillingApplication;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Starts the billing application in JVMs of their own, with what the stage adds to it. */
final class ConsumerLauncher {

    private final Services services;
    private final List<String> arguments;
    private final List<Process> processes = new CopyOnWriteArrayList<>();

    /**
     * @param services what the application connects to
     * @param arguments handed on to the application
     */
    ConsumerLauncher(Services services, List<String> arguments) {
        this.services = services;
        this.arguments = List.copyOf(arguments);
    }

    ConsumerProcess start() throws IOException {
        return start(0);
    }

    /** Starts one that stands still after the commit of the given payment, for somebody to kill it there. */
    ConsumerProcess startAndStandStillAfter(int payments) throws IOException {
        return start(payments);
    }

    private ConsumerProcess start(int standStillAfter) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // A small JVM that is quick to start: there are up to three on this machine.
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-classpath",
                System.getProperty("java.class.path"),
                BillingApplication.class.getName(),
                "--spring.main.sources=" + StageConfiguration.class.getName(),
                "--spring.main.banner-mode=off",
                "--spring.datasource.url=" + services.database().url(),
                "--spring.datasource.username=" + services.database().user(),
                "--spring.datasource.password=" + services.database().password(),
                "--spring.kafka.bootstrap-servers=" + services.bootstrapServers(),
                // How long the broker waits for a consumer that was killed; 45 s would be a dull demo.
                "--spring.kafka.consumer.properties.session.timeout.ms=6000",
                "--" + StageConfiguration.STAND_STILL_AFTER + "=" + standStillAfter));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        processes.add(process);
        return new ConsumerProcess(process);
    }

    /** Makes sure that none is left. */
    void killAll() {
        processes.forEach(Process::destroyForcibly);
    }
}
