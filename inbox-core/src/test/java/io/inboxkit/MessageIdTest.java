package io.inboxkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageIdTest {

    private static String form(Object value) {
        return Objects.requireNonNull(MessageId.of(value)).value();
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"m-1", " m-1 ", "M-1", "\u00e4\u6f22\ud83d\ude00", "HEX:00", "\ufffd", "'; drop table inbox; --"
            })
    void textIsKeptAsItIsWhetherItComesAsTextOrAsBytes(String text) {
        assertThat(form(text)).isEqualTo(text);
        assertThat(form(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(text);
        assertThat(MessageId.of(text)).isEqualTo(MessageId.ofText(text)).hasSameHashCodeAs(MessageId.ofText(text));
    }

    @Test
    void bytesThatAreNoUtf8AreKeptInHexadecimal() {
        assertThat(form(bytes(0xff, 0x00, 0x0a))).isEqualTo("hex:ff000a");
        assertThat(form(ByteBuffer.wrap(bytes(0xc0, 0x80)))).isEqualTo("hex:c080");
    }

    @Test
    void readingABufferLeavesItAsItWas() {
        ByteBuffer buffer = ByteBuffer.wrap("m-1".getBytes(StandardCharsets.UTF_8));
        assertThat(form(buffer)).isEqualTo("m-1");
        assertThat(buffer.remaining()).isEqualTo(3);
    }

    @Test
    void aUuidIsTheSameIdHoweverItWasSet() {
        UUID uuid = UUID.fromString("018F3A52-7C1B-7ABC-8DEF-0123456789AB");
        assertThat(MessageId.of(uuid)).isEqualTo(MessageId.of("018f3a52-7c1b-7abc-8def-0123456789ab"));
    }

    @Test
    void numbersAreDecimalAndExact() {
        assertThat(form(42)).isEqualTo("42");
        assertThat(form((byte) -1)).isEqualTo("-1");
        assertThat(form(Long.MAX_VALUE)).isEqualTo("9223372036854775807");
        assertThat(form(new AtomicLong(7))).isEqualTo("7");
        assertThat(form(BigInteger.TEN.pow(30))).isEqualTo("1" + "0".repeat(30));
        assertThat(form(new BigDecimal("1E+3"))).isEqualTo("1000");
        assertThat(form(new BigDecimal("10.10"))).isEqualTo("10.10");
        assertThat(form(42.0)).isEqualTo("42");
        assertThat(form(-0.0)).isEqualTo("0");
        assertThat(form(0.1)).isEqualTo("0.1");
        assertThat(form(0.1f)).isEqualTo("0.1");
        assertThat(form(2.0E-3)).isEqualTo("0.002");
        assertThat(form(0x1p60)).isEqualTo("1152921504606846976");
        assertThat(form(Double.parseDouble("1e23"))).isEqualTo("99999999999999991611392");
    }

    static List<Object> noIds() {
        return List.of(
                List.of("m-1"),
                Map.of("id", "m-1"),
                new int[] {1},
                new Object(),
                true,
                Double.NaN,
                Float.POSITIVE_INFINITY,
                new BigDecimal("1E+1000000000"),
                new BigDecimal("1E-1000000000"),
                BigInteger.ONE.shiftLeft(100_000));
    }

    @ParameterizedTest
    @MethodSource("noIds")
    void structuredValuesAndNumbersWithoutDecimalAreNoId(Object value) {
        assertThatThrownBy(() -> MessageId.of(value))
                .isInstanceOf(InvalidMessageIdException.class)
                .hasMessageContaining("no id")
                .hasMessageNotContaining("m-1");
    }

    static List<@Nullable Object> missing() {
        return Arrays.asList(null, "", " \t\n", new byte[0], bytes(' ', ' '), ByteBuffer.allocate(0), ' ');
    }

    @ParameterizedTest
    @MethodSource("missing")
    void blankIsMissing(@Nullable Object value) {
        assertThat(MessageId.of(value)).isNull();
    }

    @Test
    void aBlankTextCannotBeAskedFor() {
        assertThatIllegalArgumentException().isThrownBy(() -> MessageId.ofText(" "));
    }

    @Test
    void upTo255BytesAreKeptAndLongerOnesDigested() {
        assertThat(form("x".repeat(255))).isEqualTo("x".repeat(255));
        assertThat(form("x".repeat(256))).matches("sha256:[0-9a-f]{64}");
        assertThat(form("\u00e4".repeat(127) + "x")).hasSize(128);
        assertThat(form("\u00e4".repeat(128))).startsWith("sha256:");
        assertThat(form("x".repeat(1_000_000))).hasSize(71);
    }

    @Test
    void noTextCanPassForAnotherForm() {
        String nul = form("a\0b");
        assertThat(nul).startsWith("sha256:");
        Set<String> forms = new HashSet<>();
        List<Object> values = List.of(
                bytes(0xff),
                "hex:ff",
                form("hex:ff"),
                "a\0b",
                nul,
                form(nul),
                "ab",
                bytes(0xff, 0xfe),
                "\ud800",
                "\udc00",
                "?",
                "\ufffd",
                "\ud800".repeat(100),
                "\ud801".repeat(100));
        values.forEach(value -> forms.add(form(value)));
        assertThat(forms).hasSameSizeAs(values).allSatisfy(form -> assertThat(form)
                .doesNotContain("\0")
                .matches(text -> text.getBytes(StandardCharsets.UTF_8).length <= MessageId.MAX_BYTES));
    }

    @Test
    void theDigestIsThatOfTheIdsBytes() {
        assertThat(form("sha256:"))
                .isEqualTo("sha256:"
                        + HexFormat.of().formatHex(Sha256.digest("sha256:".getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void unpairedSurrogatesAreKeptApartAndPairsAreText() {
        assertThat(form("\ud800")).isEqualTo("hex:eda080");
        assertThat(form("a\udfff\ud83d\ude00")).isEqualTo("hex:61edbfbff09f9880");
    }

    @Test
    void anIdIsShownMasked() {
        assertThat(MessageId.ofText("018f3a52-7c1b-7abc-8def-0123456789ab")).hasToString("018f****89ab");
        assertThat(MessageId.ofText("order-12345")).hasToString("orde****");
        assertThat(MessageId.ofText("12345678")).hasToString("****");
        assertThat(MaskedId.of(null)).isEqualTo("(no id)");
    }

    @Test
    void noIdBreaksALogLine() {
        String hostile = "\r\n2026 WARN forged \u001b[31m\u2028\u202e end\n";
        assertThat(MaskedId.of(hostile)).isEqualTo("??20****end?");
        assertThat(MaskedId.unmasked(hostile)).matches("[\\x20-\\x7e]+").hasSameSizeAs(hostile);
        assertThat(MaskedId.unmasked("x".repeat(10_000))).hasSize(255);
    }
}
