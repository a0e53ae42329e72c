package io.inboxkit;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * The decimal number with the fewest digits that still names a binary one, and among those the closest to it, as
 * ECMAScript's Number::toString chooses it. {@code Double.toString} does so since Java 19 only (JDK-4511638).
 */
final class ShortestDecimal {

    /** So many digits name any double. */
    private static final int MAX_DIGITS = 17;

    private ShortestDecimal() {}

    /**
     * @param number a finite {@code Double} or {@code Float}
     */
    static BigDecimal of(Number number) {
        BigDecimal value = brief(new BigDecimal(number.doubleValue()));
        BigDecimal shortest = value.round(new MathContext(MAX_DIGITS, RoundingMode.HALF_EVEN));
        // If n digits do not name the number, less than n do not either.
        for (int digits = MAX_DIGITS - 1; digits > 0; digits--) {
            BigDecimal next = named(value, digits, number);
            if (next == null) {
                break;
            }
            shortest = next;
        }
        return shortest.stripTrailingZeros();
    }

    /**
     * A value of few digits that is rounded to {@value #MAX_DIGITS} or less of them as the exact one of up to 767 is, since
     * there is a digit for what has been left out.
     */
    private static BigDecimal brief(BigDecimal exact) {
        BigDecimal brief = exact.round(new MathContext(MAX_DIGITS + 2, RoundingMode.FLOOR));
        return brief.compareTo(exact) == 0 ? brief : brief.add(BigDecimal.valueOf(1, brief.scale() + 1));
    }

    private static @Nullable BigDecimal named(BigDecimal value, int digits, Number number) {
        BigDecimal closest = value.round(new MathContext(digits, RoundingMode.HALF_EVEN));
        if (names(closest, number)) {
            return closest;
        }
        // Next to a power of two the farther neighbour can name the number where the closer one does not.
        boolean isBelow = closest.compareTo(value) < 0;
        BigDecimal other = value.round(new MathContext(digits, isBelow ? RoundingMode.CEILING : RoundingMode.FLOOR));
        return names(other, number) ? other : null;
    }

    private static boolean names(BigDecimal decimal, Number number) {
        // By text: BigDecimal.doubleValue() of Java 17 does not always round correctly (JDK-8205592).
        return number instanceof Float
                ? Float.parseFloat(decimal.toString()) == number.floatValue()
                : Double.parseDouble(decimal.toString()) == number.doubleValue();
    }
}
