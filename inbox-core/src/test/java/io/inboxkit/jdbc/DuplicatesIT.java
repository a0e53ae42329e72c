package io.inboxkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.inboxkit.DeliveryRoute;
import io.inboxkit.DuplicateOrigin;
import io.inboxkit.InboxMessage;
import io.inboxkit.InboxObserver;
import io.inboxkit.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What the inbox says about the duplicates that it skips. */
@ExtendWith(OutputCaptureExtension.class)
class DuplicatesIT {

    @RegisterExtension
    static final InboxDatabase database = new InboxDatabase();

    private static final String LOG = "io.inboxkit.duplicates";

    private final List<String> heard = new ArrayList<>();
    private final Position first = new Position(new UUID(7, 7), 0, 42);
    private final Position second = new Position(new UUID(7, 7), 0, 43);
    private final JdbcInbox inbox = database.builder()
            .observer(new InboxObserver() {
                @Override
                public void duplicate(
                        String consumer,
                        DuplicateOrigin origin,
                        @Nullable Position position,
                        @Nullable Position processed) {
                    heard.add(origin + " " + position + " " + processed);
                }
            })
            .build();

    @BeforeEach
    void noEffects() {
        database.clear();
    }

    @Test
    void originIsToldForSingleMessages() {
        inbox.process(message("m1").position(first), () -> {});
        inbox.process(message("m1").position(first), () -> {});
        inbox.process(message("m1").position(second), () -> {});
        inbox.process(message("m1").position(second).route(DeliveryRoute.REPLAY), () -> {});
        inbox.process(message("m1"), () -> {});

        assertThat(heard)
                .containsExactly(
                        "REDELIVERY " + first + " " + first,
                        "PRODUCER " + second + " " + first,
                        "REPLAY " + second + " " + first,
                        "UNKNOWN null " + first);
    }

    @Test
    void originIsToldForTheMessagesOfAListAndForTwinsWithinIt() {
        inbox.process(message("m1").position(first), () -> {});
        inbox.processAll(
                List.of(
                        message("m1").position(first),
                        message("m2").position(first),
                        message("m2").position(second),
                        message("m1").position(second).route(DeliveryRoute.DEAD_LETTER)),
                fresh -> {});

        assertThat(heard)
                .containsExactly(
                        "REDELIVERY " + first + " " + first,
                        "PRODUCER " + second + " " + first,
                        "DEAD_LETTER " + second + " " + first);
    }

    @Test
    void logSaysTheSameWithBothPositionsAndNoId(CapturedOutput output) {
        LoggingSystem logging = LoggingSystem.get(getClass().getClassLoader());
        logging.setLogLevel(LOG, LogLevel.DEBUG);
        try {
            inbox.process(message("secret-id-of-a-message").position(first), () -> {});
            inbox.process(message("secret-id-of-a-message").position(second), () -> {});
        } finally {
            logging.setLogLevel(LOG, null);
        }

        assertThat(output)
                .contains("of consumer 'c' at position " + second
                        + " is skipped as a duplicate, origin PRODUCER: it was processed at position " + first)
                .doesNotContain("secret-id-of-a-message");
    }

    private static InboxMessage message(String id) {
        return InboxMessage.of("c", id);
    }
}
