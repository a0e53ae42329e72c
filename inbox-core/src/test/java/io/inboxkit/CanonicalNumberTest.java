package io.inboxkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalNumberTest {

    @ParameterizedTest
    @CsvSource({
        "0000000000000000, 0",
        "8000000000000000, 0",
        "0000000000000001, 5e-324",
        "8000000000000001, -5e-324",
        "7fefffffffffffff, 1.7976931348623157e+308",
        "ffefffffffffffff, -1.7976931348623157e+308",
        "4340000000000000, 9007199254740992",
        "c340000000000000, -9007199254740992",
        "4430000000000000, 295147905179352830000",
        "44b52d02c7e14af5, 9.999999999999997e+22",
        "44b52d02c7e14af6, 1e+23",
        "44b52d02c7e14af7, 1.0000000000000001e+23",
        "444b1ae4d6e2ef4e, 999999999999999700000",
        "444b1ae4d6e2ef4f, 999999999999999900000",
        "444b1ae4d6e2ef50, 1e+21",
        "3eb0c6f7a0b5ed8c, 9.999999999999997e-7",
        "3eb0c6f7a0b5ed8d, 0.000001",
        "41b3de4355555553, 333333333.3333332",
        "41b3de4355555554, 333333333.33333325",
        "41b3de4355555555, 333333333.3333333",
        "41b3de4355555556, 333333333.3333334",
        "41b3de4355555557, 333333333.33333343",
        "becbf647612f3696, -0.0000033333333333333333",
        "43143ff3c1cb0959, 1424953923781206.2"
    })
    void theSamplesOfRfc8785AppendixB(String bits, String text) {
        assertThat(CanonicalNumber.of(Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16))))
                .isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0, 0",
        "-0.0, 0",
        "0e999999999999, 0",
        "10, 10",
        "-10, -10",
        "10.10, 10.1",
        "1E2, 100",
        "1e+2, 100",
        "100e-2, 1",
        "0.000001, 0.000001",
        "0.0000001, 1e-7",
        "12.50e-8, 1.25e-7",
        "1e20, 100000000000000000000",
        "1e21, 1e+21",
        "123e21, 1.23e+23",
        "9007199254740992, 9007199254740992",
        "9007199254740994, 9007199254740994",
        "1.7976931348623157e308, 1.7976931348623157e+308",
        "5e-324, 5e-324",
        "4.35, 4.35",
        "0.30000000000000004, 0.30000000000000004",
        "10000000000000000000000000.0e-25, 1"
    })
    void numbersThatSurviveADoubleAreSpelledOneWay(String number, String canonical) {
        assertThat(CanonicalNumber.of(number)).isEqualTo(canonical);
        assertThat(CanonicalNumber.of(canonical)).isEqualTo(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9007199254740993",
                "-9007199254740993",
                "9223372036854775807",
                "1152921504606846976",
                "0.1000000000000000055511151231257827",
                "3.14159265358979323846",
                "1e400",
                "-1e400",
                "1e-400",
                "4.9e-324",
                "1e309",
                "1e99999999999999999999",
                "1e-99999999999999999999",
                "1.00000000000000001"
            })
    void numbersThatADoubleDoesNotHoldHaveNoCanonicalSpelling(String number) {
        assertThat(CanonicalNumber.of(number)).isNull();
    }

    @Test
    void anyDoubleSurvivesItsSpelling() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            double number = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(number)) {
                String text = CanonicalNumber.of(number);
                assertThat(Double.parseDouble(text)).as("seed %d", seed).isEqualTo(number + 0.0);
                assertThat(CanonicalNumber.of(text)).as("seed %d", seed).isEqualTo(text);
                assertThat(text.length()).as("seed %d", seed).isLessThanOrEqualTo(25);
            }
        }
    }

    @Test
    void anyAmountOfMoneyIsSpelledWithoutTrailingZeros() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            BigDecimal amount = BigDecimal.valueOf(random.nextLong(1_000_000_000_000_000L), random.nextInt(4));
            String expected =
                    amount.signum() == 0 ? "0" : amount.stripTrailingZeros().toPlainString();
            assertThat(CanonicalNumber.of(amount.toPlainString()))
                    .as("seed %d", seed)
                    .isEqualTo(expected)
                    .isEqualTo(CanonicalNumber.of(amount.doubleValue()));
        }
    }
}
