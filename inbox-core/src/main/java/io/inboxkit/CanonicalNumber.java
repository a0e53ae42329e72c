package io.inboxkit;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of canonical JSON (RFC 8785, section 3.2.2.3): written as ECMAScript writes a double.
 *
 * <p>Only numbers whose canonical spelling means the very same decimal number are accepted. {@code 9007199254740993}, say, would
 * become {@code 9007199254740992}: two different amounts, one fingerprint.
 */
final class CanonicalNumber {

    /** So many digits survive a double in any case (DBL_DIG), so no double need be made of them. */
    private static final int SAFE_DIGITS = 15;

    /** The range of exponents in which that holds; beyond it lie infinity and the subnormal numbers. */
    private static final int SAFE_EXPONENT = 290;

    private static final int MAX_DIGITS = 17;
    private static final int MAX_EXPONENT_TEXT = 5;

    private CanonicalNumber() {}

    /**
     * The canonical spelling.
     *
     * @param number a number as the grammar of JSON has it
     * @return {@code null} if a double does not hold the number
     */
    static @Nullable String of(String number) {
        if (number.length() <= SAFE_DIGITS && isPlainInteger(number)) {
            return number;
        }
        int mantissaEnd = mantissaEnd(number);
        StringBuilder digits = new StringBuilder(MAX_DIGITS + 1);
        int point = point(number, mantissaEnd, digits);
        if (digits.isEmpty()) {
            return "0";
        }
        String exponent = number.substring(Math.min(mantissaEnd + 1, number.length()));
        if (digits.length() > MAX_DIGITS || exponent.length() > MAX_EXPONENT_TEXT) {
            return null;
        }
        point += exponent.isEmpty() ? 0 : Integer.parseInt(exponent);
        boolean safe = digits.length() <= SAFE_DIGITS && Math.abs(point) < SAFE_EXPONENT;
        return safe || survives(digits, point)
                ? (number.charAt(0) == '-' ? "-" : "") + ecmaScript(digits.toString(), point)
                : null;
    }

    /** The spelling of a double, which must be finite. */
    static String of(double number) {
        BigDecimal shortest = ShortestDecimal.of(number);
        if (shortest.signum() == 0) {
            return "0";
        }
        String digits = shortest.unscaledValue().abs().toString();
        return (number < 0 ? "-" : "") + ecmaScript(digits, digits.length() - shortest.scale());
    }

    /** No fraction, no exponent, no minus zero: canonical as it is. */
    private static boolean isPlainInteger(String number) {
        for (int i = 0; i < number.length(); i++) {
            char c = number.charAt(i);
            if ((c < '0' || c > '9') && !(i == 0 && c == '-')) {
                return false;
            }
        }
        return !"-0".equals(number);
    }

    private static int mantissaEnd(String number) {
        for (int i = 0; i < number.length(); i++) {
            if (number.charAt(i) == 'e' || number.charAt(i) == 'E') {
                return i;
            }
        }
        return number.length();
    }

    /** Gathers the significant digits, and gives the place of the point relative to the first of them. */
    private static int point(String number, int mantissaEnd, StringBuilder digits) {
        int point = 0;
        int end = 0;
        boolean fraction = false;
        for (int i = 0; i < mantissaEnd; i++) {
            char c = number.charAt(i);
            if (c == '.') {
                fraction = true;
            } else if (c != '-') {
                if (c != '0' || !digits.isEmpty()) {
                    digits.append(c);
                    point += fraction ? 0 : 1;
                    end = c == '0' ? end : digits.length();
                } else if (fraction) {
                    point--;
                }
            }
        }
        digits.setLength(end);
        return point;
    }

    private static boolean survives(CharSequence digits, int point) {
        BigDecimal exact = new BigDecimal("0." + digits + "e" + point);
        double number = Double.parseDouble(exact.toString());
        return Double.isFinite(number) && ShortestDecimal.of(number).compareTo(exact) == 0;
    }

    /** Number::toString of ECMAScript, with its k = the number of digits and n = the place of the point. */
    private static String ecmaScript(String digits, int n) {
        int k = digits.length();
        if (k <= n && n <= 21) {
            return digits + "0".repeat(n - k);
        }
        if (0 < n && n <= 21) {
            return digits.substring(0, n) + "." + digits.substring(n);
        }
        if (-6 < n && n <= 0) {
            return "0." + "0".repeat(-n) + digits;
        }
        String exponent = (n > 0 ? "e+" : "e-") + Math.abs(n - 1);
        return digits.charAt(0) + (k == 1 ? "" : "." + digits.substring(1)) + exponent;
    }
}
