package io.inboxkit.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class that leaves a connection to its database or a thread that would keep the JVM alive.
 *
 * <p>Registered as a static field before the extensions that open what it checks, so that it looks after they have closed
 * it. It closes the database. Threads of services are left out.
 */
public final class LeakCheck implements BeforeAllCallback, AfterAllCallback {

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final TestDatabase database;
    private Set<Thread> before = Set.of();

    private LeakCheck(TestDatabase database) {
        this.database = database;
    }

    /** Checks the connections to this database. */
    public static LeakCheck of(TestDatabase database) {
        return new LeakCheck(database);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        before = threads();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        try (database) {
            await("connections left open to " + database.name())
                    .atMost(LIMIT)
                    .untilAsserted(() -> assertThat(database.openConnections()).isZero());
            await("threads left running").pollInSameThread().atMost(LIMIT).untilAsserted(() -> assertThat(threads())
                    .isSubsetOf(before));
        }
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.isAlive() && !thread.isDaemon() && !isService(thread.getThreadGroup()))
                .collect(Collectors.toSet());
    }

    private static boolean isService(@Nullable ThreadGroup group) {
        return group == null || group == ServiceSource.THREADS || ServiceSource.THREADS.parentOf(group);
    }
}
