package io.inboxkit.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ChildJvmIT {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Test
    void aChildWaitsAtItsArmedKillPointAndIsKilledThere() {
        try (ChildJvm child = ChildJvm.start(Child.class, ChildJvm.armed("middle"))) {
            child.awaitKillPoint("middle", LIMIT);
            child.kill();
            assertThat(child.output()).contains("before").doesNotContain("after");
        }
    }

    @Test
    void aPointThatIsNotArmedIsPassed() {
        try (ChildJvm child = ChildJvm.start(Child.class, Map.of())) {
            assertThat(child.awaitExit()).isZero();
            child.awaitLine("after", LIMIT);
        }
    }

    @Test
    void aFrozenChildGoesOnWhenItIsThawed() {
        try (ChildJvm child = ChildJvm.start(Child.class, Map.of(), "forever")) {
            child.awaitLine("tick", LIMIT);
            child.freeze();
            child.thaw();
            child.awaitLine("tick", LIMIT);
            assertThat(child.stop()).isEqualTo(128 + 15);
        }
    }

    @Test
    void whatTheChildSaidIsPartOfTheFailure() {
        try (ChildJvm child = ChildJvm.start(Child.class, Map.of())) {
            child.awaitExit();
            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(() -> child.awaitLine("never", Duration.ofMillis(100)))
                    .withMessageContaining("before");
        }
    }

    static final class Child {

        private Child() {}

        public static void main(String[] arguments) {
            System.out.println("before");
            KillPoint.reached("middle");
            System.out.println("after");
            while (arguments.length > 0) {
                System.out.println("tick");
                LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
            }
        }
    }
}
