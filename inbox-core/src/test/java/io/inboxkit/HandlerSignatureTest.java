package io.inboxkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The asynchronous types of libraries that are not on the path here are stood in for by types of their names. */
class HandlerSignatureTest {

    @TempDir
    Path classes;

    @BeforeEach
    void compile() throws IOException {
        write("org/reactivestreams/Publisher", "package org.reactivestreams; public interface Publisher {}");
        write("kotlinx/coroutines/flow/Flow", "package kotlinx.coroutines.flow; public interface Flow {}");
        write("kotlin/coroutines/Continuation", "package kotlin.coroutines; public interface Continuation {}");
        write(
                "Handlers",
                """
                abstract class Handlers {
                    abstract class Mono implements org.reactivestreams.Publisher {}
                    abstract Mono mono(String payload);
                    abstract kotlinx.coroutines.flow.Flow flow(String payload);
                    abstract java.util.concurrent.CompletableFuture<Void> future(String payload);
                    abstract java.util.concurrent.Future<Void> oldFuture(String payload);
                    abstract Object suspend(String payload, kotlin.coroutines.Continuation continuation);
                    abstract String fine(String payload);
                    abstract void fineToo(String payload);
                }
                """);
        try (Stream<Path> sources = Files.walk(classes)) {
            String[] names =
                    sources.filter(Files::isRegularFile).map(Path::toString).toArray(String[]::new);
            assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, names))
                    .isZero();
        }
    }

    @Test
    void handlersWhoseWorkGoesOnAfterTheyReturnedAreRefused() throws Exception {
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
            assertThat(refused(loader.loadClass("Handlers")))
                    .containsExactlyInAnyOrder("mono", "flow", "future", "oldFuture", "suspend");
        }
    }

    private static List<String> refused(Class<?> handlers) {
        return Arrays.stream(handlers.getDeclaredMethods())
                .filter(method -> !HandlerSignature.check(method, handlers).isEmpty())
                .map(method -> method.getName())
                .toList();
    }

    private void write(String name, String source) throws IOException {
        Path file = classes.resolve(name + ".java");
        Files.createDirectories(file.getParent());
        Files.writeString(file, source);
    }
}
