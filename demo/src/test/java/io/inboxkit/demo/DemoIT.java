package io.inboxkit.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo as its script runs it: it must be able to fail, or its success says nothing. */
class DemoIT {

    private static final int LONGEST_RUN_MINUTES = 4;

    @TempDir
    private Path directory;

    @Test
    void everyOrderIsPaidOnceWithTheInbox() throws Exception {
        Run run = runDemo();

        assertThat(run.exitCode()).as(run.output()).isZero();
        assertThat(run.output())
                .containsPattern("messages sent +400\\n")
                .containsPattern("processed +300\\n")
                .containsPattern("payments in the database +300\\n")
                .contains("Every order has exactly one payment.");
    }

    @Test
    void ordersArePaidSeveralTimesWithoutTheInbox() throws Exception {
        Run run = runDemo("--inbox.enabled=false");

        assertThat(run.exitCode()).as(run.output()).isEqualTo(1);
        assertThat(run.output())
                .containsPattern("duplicates skipped +0\\n")
                .contains("WRONG: 300 orders do not have exactly one payment")
                .containsPattern("order-003: [4-6] payments");
    }

    private Run runDemo(String... arguments) throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-classpath",
                System.getProperty("java.class.path"),
                Demo.class.getName()));
        command.addAll(List.of(arguments));
        Process demo = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(demo.waitFor(LONGEST_RUN_MINUTES, TimeUnit.MINUTES))
                    .as("the demo ends")
                    .isTrue();
        } finally {
            demo.destroy();
        }
        return new Run(demo.exitValue(), Files.readString(output));
    }

    private record Run(int exitCode, String output) {}
}
