package io.inboxkit.testkit;

import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** Where services come from when no address of one is given. */
enum ServiceSource {
    TESTCONTAINERS,
    EMBEDDED;

    /**
     * Holds every thread that a service starts, also later ones, because threads inherit the group of the thread that
     * starts them. {@link LeakCheck} leaves them out.
     */
    static final ThreadGroup THREADS = new ThreadGroup("inboxkit-test-services");

    /** What {@code INBOX_TEST_SERVICES} says; else containers where a Docker engine answers. */
    static ServiceSource find() {
        String wanted = setting("INBOX_TEST_SERVICES");
        if (wanted == null) {
            return DockerProbe.engineAnswers() ? TESTCONTAINERS : EMBEDDED;
        }
        try {
            return valueOf(wanted.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(
                    "INBOX_TEST_SERVICES is '" + wanted + "': use testcontainers or embedded, or leave it out", e);
        }
    }

    /** A setting by system property or, of the same name, environment variable; a blank one counts as absent. */
    static @Nullable String setting(String name) {
        String property = System.getProperty(name);
        String value = property != null ? property : System.getenv(name);
        return value == null || value.isBlank() ? null : value;
    }

    static String setting(String name, String otherwise) {
        String value = setting(name);
        return value != null ? value : otherwise;
    }

    /**
     * Starts a service in {@link #THREADS}. The starter must not be code of a class that is being initialised by the caller:
     * the other thread would wait for that for ever.
     */
    static <T> T start(String what, Callable<T> starter) {
        FutureTask<T> task = new FutureTask<>(starter);
        new Thread(THREADS, task, "start-" + what).start();
        try {
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while " + what + " was starting", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    what
                            + " for tests could not be started. INBOX_TEST_SERVICES (testcontainers, embedded) chooses where"
                            + " it comes from; INBOX_TEST_" + what.toUpperCase(Locale.ROOT)
                            + "_… gives the address of a running one",
                    e.getCause());
        }
    }

    /** Runs when the JVM exits, so that no process or container is left behind. */
    static void atExit(String what, Runnable stop) {
        Runtime.getRuntime().addShutdownHook(new Thread(THREADS, stop, "stop-" + what));
    }
}
