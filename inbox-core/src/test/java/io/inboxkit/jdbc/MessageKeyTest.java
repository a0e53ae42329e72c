package io.inboxkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MessageKeyTest {

    private static final String UUID_V7 = "0193f7f0-8d2a-7c3e-9a51-2f6a1b9c0d4e";

    @Test
    void uuidIsKeptAsItIs() {
        assertThat(MessageKey.of(null, UUID_V7)).isEqualTo(UUID.fromString(UUID_V7));
    }

    @Test
    void otherFormsOfTheSameUuidAreOtherIds() {
        List<String> forms = List.of(
                UUID_V7,
                UUID_V7.toUpperCase(Locale.ROOT),
                "{" + UUID_V7 + "}",
                UUID_V7.replace("-", ""),
                "urn:uuid:" + UUID_V7,
                " " + UUID_V7);

        assertThat(forms.stream().map(form -> MessageKey.of(null, form)).collect(Collectors.toSet()))
                .hasSize(forms.size());
    }

    @Test
    void digestsAreUuidsOfVersion8() {
        Stream.of("m1", "x".repeat(1000), UUID_V7.toUpperCase(Locale.ROOT))
                .map(id -> MessageKey.of(null, id))
                .forEach(key -> {
                    assertThat(key.version()).isEqualTo(8);
                    assertThat(key.variant()).isEqualTo(2);
                });
        assertThat(MessageKey.of("tenant", UUID_V7).version()).isEqualTo(8);
    }

    @Test
    void noIdCanBeChosenThatEqualsTheDigestOfAnother() {
        UUID digest = MessageKey.of(null, "m1");

        assertThat(MessageKey.of(null, digest.toString())).isNotEqualTo(digest);
    }

    @Test
    void scopeAndIdCannotFlowIntoEachOther() {
        assertThat(Stream.of(
                                MessageKey.of(null, "abc"),
                                MessageKey.of("", "abc"),
                                MessageKey.of("a", "bc"),
                                MessageKey.of("ab", "c"))
                        .distinct())
                .hasSize(4);
    }
}
