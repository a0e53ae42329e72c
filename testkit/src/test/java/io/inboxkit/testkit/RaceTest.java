package io.inboxkit.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class RaceTest {

    @Test
    void allTasksRunAtOnceAndTellHowTheyEnded() {
        CountDownLatch together = new CountDownLatch(3);
        List<Race.Finish<Integer>> finishes = new Race(Duration.ofSeconds(10)).run(3, i -> () -> {
            together.countDown();
            together.await();
            if (i == 2) {
                throw new IllegalArgumentException("third");
            }
            return i;
        });

        assertThat(finishes).extracting(Race.Finish::value).containsExactly(0, 1, null);
        assertThat(finishes.get(2).thrown()).hasMessage("third");
    }

    @Test
    void aTaskThatHangsFailsTheRace() {
        Race race = new Race(Duration.ofMillis(50));
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> race.run(1, i -> () -> {
                    new CountDownLatch(1).await();
                    return i;
                }));
    }
}
