package io.inboxkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FingerprintTest {

    private static Fingerprint payload(@Nullable String payload) {
        return fingerprint(payload, FingerprintMode.PAYLOAD);
    }

    private static Fingerprint fingerprint(@Nullable String payload, FingerprintMode mode) {
        byte[] bytes = payload == null ? null : payload.getBytes(StandardCharsets.UTF_8);
        return Objects.requireNonNull(Fingerprint.of(bytes, mode));
    }

    @Test
    void itIsTheSha256OfTheBytes() {
        assertThat(HexFormat.of()
                        .formatHex(fingerprint("abc", FingerprintMode.BYTES).toBytes()))
                .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assertThat(payload("abc")).isEqualTo(fingerprint("abc", FingerprintMode.BYTES));
    }

    @Test
    void orderAndSpaceOfJsonMakeNoDifferenceUnlessBytesAreAskedFor() {
        String one = "{\"id\":\"p-1\",\"amount\":10.10}";
        String other = "{ \"amount\": 10.1, \"id\": \"p-1\" }\n";
        assertThat(payload(one)).isEqualTo(payload(other)).hasSameHashCodeAs(payload(other));
        assertThat(fingerprint(one, FingerprintMode.BYTES)).isNotEqualTo(fingerprint(other, FingerprintMode.BYTES));
    }

    @Test
    void anotherAmountIsAnotherPayload() {
        assertThat(payload("{\"amount\":10}")).isNotEqualTo(payload("{\"amount\":99}"));
        assertThat(payload("{\"amount\":9007199254740993}")).isNotEqualTo(payload("{\"amount\":9007199254740992}"));
        assertThat(payload("{\"amount\":1152921504606846976}"))
                .isNotEqualTo(payload("{\"amount\":1152921504606847000}"));
    }

    @Test
    void whatIsNoIJsonIsTakenAsItsBytes() {
        for (String json :
                new String[] {"{\"a\":1,\"a\":2}", "{\"a\":1e400}", "{\"a\"", " {}", "\"a\"", "[".repeat(100_000)}) {
            assertThat(payload(json)).isEqualTo(fingerprint(json, FingerprintMode.BYTES));
        }
    }

    @Test
    void aTombstoneHasAFingerprintOfItsOwn() {
        assertThat(payload(null))
                .isEqualTo(fingerprint(null, FingerprintMode.BYTES))
                .isNotEqualTo(payload(""))
                .isNotEqualTo(payload("null"))
                .isNotEqualTo(payload("\0".repeat(32)));
        assertThat(payload(null).toBytes()).hasSize(32);
    }

    @Test
    void withoutFingerprintThereIsNone() {
        assertThat(Fingerprint.of(new byte[1], FingerprintMode.NONE)).isNull();
        assertThat(Fingerprint.of(null, FingerprintMode.NONE)).isNull();
    }

    @Test
    void whatIsGivenOutCannotChangeIt() {
        Fingerprint fingerprint = payload("abc");
        fingerprint.toBytes()[0]++;
        assertThat(fingerprint).isEqualTo(payload("abc"));
    }
}
