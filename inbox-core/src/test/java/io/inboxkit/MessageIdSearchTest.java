package io.inboxkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageIdSearchTest {

    private static final List<String> NAMES = List.of("message-id", "ce_id", "cloudEvents:id", "cloudEvents_id", "id");

    private final MessageIdSearch search = new MessageIdSearch(NAMES);

    /** Name, value, name, value... */
    private static List<RawHeader> headers(@Nullable Object... namesAndValues) {
        List<RawHeader> headers = new ArrayList<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add(new RawHeader(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]));
        }
        return headers;
    }

    private @Nullable String find(@Nullable Object... namesAndValues) {
        return search.find(headers(namesAndValues)).map(MessageId::value).orElse(null);
    }

    private String missing(@Nullable Object... namesAndValues) {
        assertThat(find(namesAndValues)).isNull();
        return String.valueOf(search.missing("billing", "payments-0@42", List.of(), headers(namesAndValues))
                .getMessage());
    }

    @Test
    void theFirstNameInOrderWinsWhateverTheOrderOfTheHeaders() {
        assertThat(find("id", "last", "message-id", "first")).isEqualTo("first");
        assertThat(find("id", "last")).isEqualTo("last");
    }

    @Test
    void aNameMatchesExactlyFirstThenWithoutCase() {
        assertThat(find("Message-Id", "twin", "message-id", "exact")).isEqualTo("exact");
        assertThat(find("MESSAGE-ID", "twin", "id", "next")).isEqualTo("twin");
    }

    @Test
    void caseDoesNotDependOnTheLocale() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("tr-TR"));
            assertThat(find("MESSAGE-ID", "m-1")).isEqualTo("m-1");
            assertThat(find("CE_ID", "1", "CE_SOURCE", "/shop")).isEqualTo("/shop 1");
            assertThat(missing("Message_Id", "m-1")).contains("'Message_Id' is not 'message-id'");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void blankEmptyAndNullValuesGoOnToTheNextName() {
        assertThat(find("message-id", null, "id", "m-1")).isEqualTo("m-1");
        assertThat(find("message-id", new byte[0], "id", "m-1")).isEqualTo("m-1");
        assertThat(find("message-id", "  ", "Message-Id", "m-1")).isEqualTo("m-1");
    }

    @Test
    void theSameHeaderTwiceWithTheSameValueIsThatValue() {
        assertThat(find("message-id", "A", "message-id", "A".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("A");
        assertThat(find("message-id", "", "message-id", "A", "message-id", null))
                .isEqualTo("A");
    }

    @ParameterizedTest
    @ValueSource(strings = {"message-id", "Message-Id"})
    void theSameHeaderTwiceWithDifferentValuesIsAmbiguous(String name) {
        assertThatThrownBy(() -> find(name, "secret-A", name, "secret-B", "id", "m-1"))
                .isInstanceOf(InvalidMessageIdException.class)
                .hasMessageContaining("'" + name + "'")
                .hasMessageContaining("ambiguous")
                .hasMessageNotContaining("secret");
    }

    @Test
    void twoTwinsOfOneNameWithDifferentValuesAreAmbiguous() {
        assertThatThrownBy(() -> find("Message-Id", "A", "MESSAGE-ID", "B"))
                .isInstanceOf(InvalidMessageIdException.class);
    }

    @Test
    void aStructuredValueIsNoIdAndTheHeaderIsNamed() {
        assertThatThrownBy(() -> find("message-id", List.of("m-1")))
                .isInstanceOf(InvalidMessageIdException.class)
                .hasMessageContaining("Header 'message-id'")
                .hasMessageNotContaining("m-1");
    }

    @Test
    void otherHeadersAreNotLookedAt() {
        assertThat(find("trace", null, "", new Object(), "x\0\n", List.of(), "table", Map.of(), "message-id", "m-1"))
                .isEqualTo("m-1");
        assertThat(find("message-id", "m-1", "id", List.of("not", "reached"))).isEqualTo("m-1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ce_", "cloudEvents:", "cloudEvents_", "CE_"})
    void aCloudEventIsIdentifiedBySourceAndId(String prefix) {
        assertThat(find(prefix + "id", "1", prefix + "source", "/shop")).isEqualTo("/shop 1");
        assertThat(find(prefix + "id", "1", prefix + "source", "/stock")).isEqualTo("/stock 1");
    }

    @Test
    void aCloudEventWithoutSourceHasNoId() {
        assertThat(missing("ce_id", "1")).contains("'ce_id'", "'ce_source'");
        assertThat(find("ce_id", "1", "ce_source", " ", "id", "m-1")).isEqualTo("m-1");
        assertThat(find("ce_id", "1", "cloudEvents:source", "/shop")).isNull();
    }

    @Test
    void aCloudEventWithTwoSourcesIsAmbiguous() {
        assertThatThrownBy(() -> find("ce_id", "1", "ce_source", "/a", "ce_source", "/b"))
                .isInstanceOf(InvalidMessageIdException.class)
                .hasMessageContaining("'ce_source'");
    }

    @Test
    void aLongCloudEventIdIsTheOneThatItsTextStandsFor() {
        String source = "https://example.com/" + "x".repeat(300);
        assertThat(find("ce_id", "1", "ce_source", source))
                .isEqualTo(MessageId.ofText(source + " 1").value());
        assertThat(find("ce_id", new byte[] {(byte) 0xff}, "ce_source", "s")).isEqualTo("hex:7320ff");
    }

    @Test
    void theTextForAMissingIdNamesWhereItLookedAndTwins() {
        String text = String.valueOf(search.missing(
                        "billing",
                        "payments-0@42",
                        List.of("the expression #payment.id"),
                        headers("Message_ID", "secret", "messageId", "secret", "other", "secret", "ID", ""))
                .getMessage());
        assertThat(text)
                .contains(
                        "payments-0@42", "'billing'", "the expression #payment.id, header 'message-id', header 'ce_id'")
                .contains("'Message_ID' is not 'message-id'", "'messageId' is not 'message-id'")
                .contains("'ID' is there but blank")
                .contains("inbox.message-id.headers")
                .doesNotContain("secret", "'other'");
    }

    @Test
    void aHostileMessageCannotFillOrBreakTheText() {
        List<RawHeader> headers = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            headers.add(new RawHeader("message\n" + "-".repeat(i) + "id", "x"));
        }
        String text = String.valueOf(
                search.missing("billing", "payments-0@42", List.of(), headers).getMessage());
        assertThat(text).hasSizeLessThan(2000).doesNotContain("\n");
    }
}
