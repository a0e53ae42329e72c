package io.inboxkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.inboxkit.InboxMessage;
import io.inboxkit.Position;
import io.inboxkit.testkit.Race;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages that are known by their positions and claimed together. */
class PositionListIT {

    private static final int MESSAGES = 400;

    @RegisterExtension
    static final InboxDatabase database = new InboxDatabase();

    private final JdbcInbox inbox = database.inbox();

    @BeforeEach
    void clear() {
        database.clear();
    }

    @Test
    void handlerGetsWhatLiesBeyondThePosition() {
        assertThat(process(TestPosition.messages("c", 0, 0, 3))).isEqualTo(3);
        assertThat(process(TestPosition.messages("c", 0, 1, 5))).isEqualTo(2);
        assertThat(process(TestPosition.messages("c", 0, 0, 5))).isZero();

        assertThat(database.effects()).containsExactly("0-0", "0-1", "0-2", "0-3", "0-4");
    }

    @Test
    void partitionsOfOneListAreApart() {
        process(TestPosition.messages("c", 1, 0, 2));
        List<InboxMessage> mixed = new ArrayList<>(TestPosition.messages("c", 1, 0, 3));
        mixed.addAll(0, TestPosition.messages("c", 0, 0, 1));
        mixed.addAll(TestPosition.messages("c", 0, 1, 2));

        assertThat(process(mixed)).isEqualTo(3);
        assertThat(database.effects()).containsExactly("0-0", "0-1", "1-0", "1-1", "1-2");
    }

    @Test
    void listThatFailsAdvancesNothing() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> inbox.processAll(TestPosition.messages("c", 0, 0, 10), fresh -> {
                    throw new IllegalStateException("planned");
                }));

        assertThat(process(TestPosition.messages("c", 0, 0, 4))).isEqualTo(4);
        assertThat(database.jdbc().queryForList("select * from inbox_open")).isEmpty();
    }

    @Test
    void positionThatIsTwiceInTheListIsNewOnce() {
        List<InboxMessage> twice = new ArrayList<>(TestPosition.messages("c", 0, 0, 2));
        twice.addAll(TestPosition.messages("c", 0, 1, 3));

        assertThat(process(twice)).isEqualTo(3);
    }

    @Test
    void listThatGoesOverATruncationIsHandledFromThereOn() {
        process(TestPosition.messages("c", 0, 0, 100));

        assertThat(process(List.of(
                        TestPosition.message("c", 79, 0),
                        TestPosition.message("c", 80, 2),
                        TestPosition.message("c", 81, 2))))
                .isEqualTo(2);
        assertThat(process(List.of(TestPosition.message("c", 81, 2), TestPosition.message("c", 82, 2))))
                .isOne();
    }

    @Test
    void idsAndPositionsMayBeInOneList() {
        InboxMessage byId = InboxMessage.of("c", "m1");
        List<InboxMessage> mixed = new ArrayList<>(TestPosition.messages("c", 0, 0, 2));
        mixed.add(byId);

        assertThat(inbox.processAll(mixed, fresh -> assertThat(fresh).isEqualTo(mixed)))
                .isEqualTo(3);
        assertThat(inbox.processAll(mixed, fresh -> {})).isZero();
    }

    @Test
    void ownersOfOverlappingListsInOppositeOrderOfPartitionsHaveExactEffects() {
        Race race = new Race(Duration.ofSeconds(60));
        long seed = race.random().nextLong();

        List<Race.Finish<Object>> owners = race.run(4, owner -> owner(owner % 2, new Random(seed + owner)));

        assertThat(owners).allSatisfy(owner -> assertThat(owner.thrown()).isNull());
        assertThat(database.effects()).doesNotHaveDuplicates().hasSize(2 * MESSAGES);
    }

    /** Goes through both partitions in lists of any size, overlapping now and then. */
    private Callable<Object> owner(int firstPartition, Random random) {
        return () -> {
            int from = 0;
            while (from < MESSAGES) {
                int to = Math.min(MESSAGES, from + 1 + random.nextInt(30));
                List<InboxMessage> both = new ArrayList<>(TestPosition.messages("race", firstPartition, from, to));
                both.addAll(TestPosition.messages("race", 1 - firstPartition, from, to));
                process(both);
                from = random.nextInt(10) == 0 ? Math.max(0, to - random.nextInt(40)) : to;
            }
            return firstPartition;
        };
    }

    private int process(List<InboxMessage> messages) {
        return inbox.processAll(messages, fresh -> fresh.forEach(message -> database.effect(name(message.position()))));
    }

    private static String name(@Nullable Position position) {
        return Objects.requireNonNull(position).partition() + "-" + position.offset();
    }
}
