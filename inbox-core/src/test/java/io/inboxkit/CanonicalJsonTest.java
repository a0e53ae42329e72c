package io.inboxkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalJsonTest {

    private static @Nullable String canonical(String json) {
        byte[] canonical = CanonicalJson.of(json.getBytes(StandardCharsets.UTF_8));
        return canonical == null ? null : new String(canonical, StandardCharsets.UTF_8);
    }

    @Test
    void theSampleOfRfc8785Section322() {
        assertThat(
                        canonical(
                                """
                                {
                                  "numbers": [333333333.3333333, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
                                  "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
                                  "literals": [null, true, false]
                                }"""))
                .isEqualTo(
                        """
                        {"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],\
                        "string":"\u20ac$\\u000f\\nA'B\\"\\\\\\\\\\"/"}""");
    }

    @Test
    void theSampleOfRfc8785Section323IsSortedByUtf16CodeUnits() {
        assertThat(
                        canonical(
                                """
                                {
                                  "\\u20ac": "Euro Sign",
                                  "\\r": "Carriage Return",
                                  "\\ufb33": "Hebrew Letter Dalet With Dagesh",
                                  "1": "One",
                                  "\\ud83d\\ude00": "Emoji: Grinning Face",
                                  "\\u0080": "Control",
                                  "\\u00f6": "Latin Small Letter O With Diaeresis"
                                }"""))
                .isEqualTo("{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\","
                        + "\"\u00f6\":\"Latin Small Letter O With Diaeresis\",\"\u20ac\":\"Euro Sign\","
                        + "\"\ud83d\ude00\":\"Emoji: Grinning Face\",\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}");
    }

    @Test
    void structuresAreSortedAtEveryLevel() {
        assertThat(
                        canonical(
                                """
                {"1": {"f": {"f": "hi", "F": 5}, "\\n": 56.0}, "10": {}, "": "empty", "a": [], "111": [{"e": "yes", "E": "no"}], "A": {} }
                """))
                .isEqualTo("{\"\":\"empty\",\"1\":{\"\\n\":56,\"f\":{\"F\":5,\"f\":\"hi\"}},\"10\":{},"
                        + "\"111\":[{\"E\":\"no\",\"e\":\"yes\"}],\"A\":{},\"a\":[]}");
    }

    @Test
    void stringsAreSpelledOneWay() {
        assertThat(canonical("[\"\\b\\t\\n\\f\\r\\u0000\\u001F\\u007f\\/\\u2028\"]"))
                .isEqualTo("[\"\\b\\t\\n\\f\\r\\u0000\\u001f\u007f/\u2028\"]");
        assertThat(canonical("[\"\\u00E4\\uD83D\\uDE00\"]")).isEqualTo("[\"\u00e4\ud83d\ude00\"]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "\"a\"",
                " {}",
                "\ufeff{}",
                "{",
                "[",
                "[1",
                "[1,",
                "[1,]",
                "[,1]",
                "[1 2]",
                "{\"a\"",
                "{\"a\":",
                "{\"a\":1",
                "{\"a\":1,",
                "{\"a\":1,}",
                "{\"a\" 1}",
                "{a:1}",
                "{'a':1}",
                "{1:1}",
                "{}{}",
                "[]]",
                "[NaN]",
                "[Infinity]",
                "[-]",
                "[+1]",
                "[01]",
                "[.5]",
                "[1.]",
                "[1e]",
                "[1e+]",
                "[0x1]",
                "[\u0661]",
                "[tru]",
                "[TRUE]",
                "[nul",
                "[\"a]",
                "[\"\\",
                "[\"\\\"",
                "[\"\\x\"]",
                "[\"\\u12\"]",
                "[\"\\u+123\"]",
                "[\"\\u\u0661234\"]",
                "[\"\t\"]",
                "[\"\u00e4\n\"]",
                "[//\n1]",
                "[\u00a01]"
            })
    void whatIsNoJsonObjectOrArrayHasNoCanonicalForm(String json) {
        assertThat(canonical(json)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1,\"a\":1}",
                "{\"a\":1,\"b\":2,\"\\u0061\":1}",
                "[{\"b\":1,\"a\":1,\"b\":2}]",
                "[\"\\ud800\"]",
                "[\"\\ude00\\ud83d\"]",
                "[\"\\uffff\"]",
                "[\"\\ufdd0\"]",
                "[9007199254740993]",
                "[1e400]"
            })
    void whatIsNotInteroperableHasNoCanonicalForm(String json) {
        assertThat(canonical(json)).isNull();
    }

    @Test
    void bytesThatAreNoUtf8HaveNoCanonicalForm() {
        for (int[] bad :
                new int[][] {{0xff}, {0xc0, 0xaf}, {0xed, 0xa0, 0x80}, {0xf4, 0x90, 0x80, 0x80}, {0xe2, 0x82}}) {
            byte[] json = new byte[bad.length + 4];
            Arrays.fill(json, (byte) '"');
            json[0] = '[';
            json[json.length - 1] = ']';
            for (int i = 0; i < bad.length; i++) {
                json[2 + i] = (byte) bad[i];
            }
            assertThat(CanonicalJson.of(json)).as(Arrays.toString(bad)).isNull();
        }
    }

    @Test
    void twoHundredLevelsAreReadAndNoPayloadExhaustsTheStack() {
        assertThat(canonical("[".repeat(200) + "]".repeat(200))).hasSize(400);
        assertThat(canonical("[".repeat(201) + "]".repeat(201))).isNull();
        assertThat(canonical("{\"a\":".repeat(200) + "1" + "}".repeat(200))).isNotNull();
        assertThat(canonical("{\"a\":".repeat(201) + "1" + "}".repeat(201))).isNull();
        assertThat(canonical("[".repeat(100_000))).isNull();
        assertThat(canonical("[[],".repeat(150) + "[]" + "]".repeat(150))).isNotNull();
    }

    @Test
    void orderSpaceAndSpellingMakeNoDifference() {
        long seed = System.nanoTime();
        for (int i = 0; i < 2_000; i++) {
            Random random = new Random(seed + i);
            Object value = object(random, 0);
            String one = canonical(write(value, random));
            assertThat(one).as("seed %d", seed + i).isNotNull().isEqualTo(canonical(write(value, random)));
            assertThat(canonical(String.valueOf(one))).as("seed %d", seed + i).isEqualTo(one);
        }
    }

    @Test
    void damagedJsonIsReadToItsEndOrRefused() {
        long seed = System.nanoTime();
        for (int i = 0; i < 5_000; i++) {
            Random random = new Random(seed + i);
            byte[] json = write(object(random, 0), random).getBytes(StandardCharsets.UTF_8);
            json[random.nextInt(json.length)] = (byte) random.nextInt(256);
            byte[] canonical = CanonicalJson.of(Arrays.copyOf(json, 1 + random.nextInt(json.length)));
            if (canonical != null) {
                assertThat(CanonicalJson.of(canonical)).as("seed %d", seed + i).isEqualTo(canonical);
            }
        }
    }

    private static Object value(Random random, int level) {
        return switch (random.nextInt(level > 3 ? 3 : 5)) {
            case 0 -> random.nextInt(1000) / 8.0;
            case 1 -> text(random);
            case 2 -> random.nextBoolean();
            case 3 -> List.of(value(random, level + 1), value(random, level + 1));
            default -> object(random, level + 1);
        };
    }

    private static Map<String, Object> object(Random random, int level) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (int i = random.nextInt(5); i >= 0; i--) {
            members.put(text(random), value(random, level));
        }
        return members;
    }

    private static String text(Random random) {
        String alphabet = "ab\"\\/\n\u0001\u00e4\u20ac\ufb33";
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            text.append(random.nextInt(8) == 0 ? "\ud83d\ude00" : alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    /** One of many spellings. */
    private static String write(Object value, Random random) {
        String space = " \n\t".substring(random.nextInt(4));
        if (value instanceof Map<?, ?> map) {
            List<String> members = new ArrayList<>();
            map.forEach((name, member) ->
                    members.add(space + write(String.valueOf(name), random) + space + ":" + write(member, random)));
            Collections.shuffle(members, random);
            return "{" + String.join(",", members) + "}";
        }
        if (value instanceof List<?> list) {
            return "[" + space + write(list.get(0), random) + space + "," + write(list.get(1), random) + "]";
        }
        if (value instanceof Double number) {
            return random.nextBoolean() ? String.format(Locale.ROOT, "%.5f", number) : number + "e0";
        }
        return value instanceof String text ? write(text, random) : String.valueOf(value);
    }

    private static String write(String text, Random random) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean pair = Character.isSurrogate(c);
            if (c < ' ' || c == '"' || c == '\\' || pair || random.nextInt(3) == 0) {
                json.append(String.format("\\u%04" + (random.nextBoolean() ? "x" : "X"), (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }
}
