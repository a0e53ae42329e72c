package io.inboxkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.inboxkit.InboxMessage;
import io.inboxkit.InboxUnavailableException;
import io.inboxkit.ReusedMessageIdException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ProcessAllIT {

    @RegisterExtension
    static final InboxDatabase database = new InboxDatabase();

    private final JdbcInbox inbox = database.inbox();

    @BeforeEach
    void noEffects() {
        database.clear();
    }

    @Test
    void newMessagesAreHandedOnInTheirOrderAndEachOnce() {
        inbox.process(InboxMessage.of("c", "known"), () -> {});
        List<String> handled = new ArrayList<>();

        int count = inbox.processAll(
                List.of(message("z"), message("known"), message("a"), message("z"), message("m")),
                fresh -> fresh.forEach(message -> handled.add(String.valueOf(message.id()))));

        assertThat(count).isEqualTo(3);
        assertThat(handled).containsExactly("z", "a", "m");
    }

    @Test
    void otherPayloadUnderTheIdOfAnEarlierMessageOfTheListIsRefused() {
        List<InboxMessage> messages = List.of(
                message("twice").fingerprint(new byte[] {1}),
                message("twice").fingerprint(new byte[] {1}),
                message("twice").fingerprint(new byte[] {2}));

        assertThatThrownBy(() -> inbox.processAll(messages, fresh -> {})).isInstanceOf(ReusedMessageIdException.class);
        assertThat(inbox.find("c", "twice")).isEmpty();
        assertThat(inbox.processAll(messages.subList(0, 2), fresh -> {})).isEqualTo(1);
    }

    @Test
    void consumerThatAnotherProcessHasRetiredIsKnownAgainWithTheNextTry() {
        List<InboxMessage> messages = List.of(message("first"));
        assertThat(inbox.processAll(messages, fresh -> {})).isEqualTo(1);
        database.builder().build().retire("c");

        assertThatThrownBy(() -> inbox.processAll(messages, fresh -> {})).isInstanceOf(InboxUnavailableException.class);
        assertThat(inbox.processAll(messages, fresh -> {})).isEqualTo(1);
    }

    @Test
    void workIsNotCalledWhenNothingIsNew() {
        List<InboxMessage> messages = IntStream.range(0, 500)
                .mapToObj(i -> message(UUID.randomUUID().toString()))
                .toList();
        assertThat(inbox.processAll(messages, fresh -> assertThat(fresh).hasSize(500)))
                .isEqualTo(500);

        assertThat(inbox.processAll(messages, fresh -> database.effect("never")))
                .isZero();
        assertThat(inbox.processAll(List.of(), fresh -> database.effect("never")))
                .isZero();

        assertThat(database.effects()).isEmpty();
    }

    @Test
    void failureLeavesNoneOfThem() {
        List<InboxMessage> messages = List.of(message("a"), message("b"));

        assertThatThrownBy(() -> inbox.processAll(messages, fresh -> {
                    database.effect("a");
                    throw new IOException("checked");
                }))
                .isInstanceOf(IOException.class);

        assertThat(database.effects()).isEmpty();
        assertThat(inbox.processAll(messages, fresh -> {})).isEqualTo(2);
    }

    @Test
    void messagesOfSeveralConsumersAndScopesAreToldApart() {
        List<InboxMessage> messages = List.of(
                message("a"),
                InboxMessage.of("d", "a"),
                message("a").scope("s"),
                InboxMessage.of("d", "a").scope("s"));

        assertThat(inbox.processAll(messages, fresh -> {})).isEqualTo(4);
        assertThat(inbox.processAll(messages, fresh -> {})).isZero();
    }

    @Test
    void knownMessagesAreReadOverThePrimaryKey() {
        inbox.process(message("planned"), () -> {});
        database.jdbc()
                .execute(
                        """
                insert into inbox_message (consumer_id, message_key)
                select c.id, gen_random_uuid() from inbox_consumer c, generate_series(1, 100000) where c.name = 'c'
                """);
        database.jdbc().execute("analyze inbox_message");
        String statement = new InboxSql(InboxTables.defaults(), true)
                .claimAll
                .replaceFirst("\\?", "'10s'")
                .replaceFirst("\\?", "array[1]")
                .replaceFirst("\\?", "array[gen_random_uuid()]")
                .replace("?", "null");

        List<String> plan = database.jdbc().queryForList("explain " + statement, String.class);

        assertThat(String.join("\n", plan))
                .contains("Index Scan using inbox_message_pk on inbox_message m")
                .doesNotContain("Seq Scan on inbox_message");
    }

    private static InboxMessage message(String id) {
        return InboxMessage.of("c", id);
    }
}
