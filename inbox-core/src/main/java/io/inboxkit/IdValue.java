package io.inboxkit;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads what transports and expressions give as an id. */
final class IdValue {

    /** Beyond it a number is refused, because {@code 1e1000000000} would fill the memory. */
    static final int MAX_DIGITS = 1000;

    private IdValue() {}

    /**
     * The bytes of an id.
     *
     * @param origin begins the text of the exception, such as "Header 'message-id'"; asked for that only
     * @return {@code null} if the value is {@code null}, empty or blank
     * @throws InvalidMessageIdException if the value is structured or no id for another reason
     */
    static byte @Nullable [] bytes(@Nullable Object value, Supplier<String> origin) {
        if (value instanceof byte[] bytes) {
            return blankIsMissing(bytes);
        }
        if (value instanceof ByteBuffer buffer) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.duplicate().get(bytes);
            return blankIsMissing(bytes);
        }
        String text = value == null ? null : text(value, origin);
        return text == null || text.isBlank() ? null : Utf8.encode(text);
    }

    private static byte @Nullable [] blankIsMissing(byte[] bytes) {
        String text = Utf8.decode(bytes);
        return text != null && text.isBlank() ? null : bytes;
    }

    private static String text(Object value, Supplier<String> origin) {
        if (value instanceof CharSequence || value instanceof Character || value instanceof UUID) {
            return value.toString();
        }
        if (value instanceof Number number) {
            return decimal(number, origin);
        }
        throw new InvalidMessageIdException(origin.get() + " is of type "
                + value.getClass().getTypeName()
                + ", which is no id: an id is text, bytes, a number or a UUID. Choose a value of such a type, for instance"
                + " by an expression that goes on to a property of it");
    }

    private static String decimal(Number number, Supplier<String> origin) {
        try {
            BigDecimal decimal = exact(number);
            if (decimal.precision() > MAX_DIGITS || Math.abs((long) decimal.scale()) > MAX_DIGITS) {
                throw new InvalidMessageIdException(origin.get() + " is a number of more than " + MAX_DIGITS
                        + " digits, which is no id. Let the producer set a shorter one");
            }
            return decimal.toPlainString();
        } catch (NumberFormatException e) {
            throw new InvalidMessageIdException(origin.get() + " is a "
                    + number.getClass().getTypeName()
                    + " without a decimal value, which is no id. Let the producer set a finite number");
        }
    }

    private static BigDecimal exact(Number number) {
        if (number instanceof BigDecimal decimal) {
            return decimal;
        }
        if (number instanceof BigInteger integer) {
            return new BigDecimal(integer);
        }
        if (number instanceof Double || number instanceof Float) {
            BigDecimal exact = new BigDecimal(number.doubleValue());
            // Not by toString(): what it gives for one and the same number has changed with Java 19.
            return exact.signum() == 0 || exact.scale() <= 0 ? exact : ShortestDecimal.of(number);
        }
        return new BigDecimal(number.toString());
    }
}
