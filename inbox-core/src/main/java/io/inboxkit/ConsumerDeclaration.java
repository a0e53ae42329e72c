package io.inboxkit;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;

/**
 * What {@link IdempotentConsumer} says on a handler, with placeholders resolved and defaults filled in.
 *
 * @param consumer the name of the consumer, or {@code null} for the one that the transport gives
 * @param messageId the expression of the id, or {@code null} for the header search
 * @param scope the expression of the scope, or {@code null} for none
 * @param onMissingId what happens to a message without an id; resolved
 * @param onReusedId what happens to a known id with another payload; resolved
 * @param mode where the effects of the handler are
 * @param track what is remembered of a message
 * @param storeReply whether the return value is stored
 * @param onBatchFailure what happens to a batch whose handler fails without naming the record
 * @param retention how long ids are kept
 * @param transactionManager the bean name of the transaction manager, or {@code null} for the only inbox there is
 */
public record ConsumerDeclaration(
        @Nullable String consumer,
        @Nullable String messageId,
        @Nullable String scope,
        MissingIdPolicy onMissingId,
        ReusedIdPolicy onReusedId,
        ProcessingMode mode,
        Tracking track,
        boolean storeReply,
        BatchFailurePolicy onBatchFailure,
        Duration retention,
        @Nullable String transactionManager) {

    private static final int LONGEST_NAME = 500;

    /**
     * Reads an annotation.
     *
     * @param placeholders resolves <code>${…}</code>
     * @throws IllegalArgumentException if a placeholder or a duration cannot be resolved; the message names the attribute
     */
    public static ConsumerDeclaration of(
            IdempotentConsumer annotation, ListenerDefaults defaults, UnaryOperator<String> placeholders) {
        return new ConsumerDeclaration(
                name(text("consumer", annotation.consumer(), placeholders)),
                text("messageId", annotation.messageId(), placeholders),
                text("scope", annotation.scope(), placeholders),
                annotation.onMissingId() == MissingIdPolicy.DEFAULT ? defaults.onMissingId() : annotation.onMissingId(),
                annotation.onReusedId() == ReusedIdPolicy.DEFAULT ? defaults.onReusedId() : annotation.onReusedId(),
                annotation.mode(),
                annotation.track(),
                annotation.storeReply(),
                annotation.onBatchFailure(),
                retention(text("retention", annotation.retention(), placeholders), defaults.retention()),
                text("transactionManager", annotation.transactionManager(), placeholders));
    }

    /** The annotation on the method itself, meta-annotations, interfaces and overridden methods included. */
    public static @Nullable IdempotentConsumer onMethod(Method method) {
        return merged(MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY));
    }

    /** The annotation on the class, its superclasses and interfaces. */
    public static @Nullable IdempotentConsumer onClass(Class<?> type) {
        return merged(MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY));
    }

    private static @Nullable IdempotentConsumer merged(MergedAnnotations annotations) {
        MergedAnnotation<IdempotentConsumer> found = annotations.get(IdempotentConsumer.class);
        return found.isPresent() ? found.synthesize() : null;
    }

    private static @Nullable String text(String attribute, String value, UnaryOperator<String> placeholders) {
        if (value.isEmpty()) {
            return null;
        }
        String resolved;
        try {
            resolved = placeholders.apply(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    attribute + " = \"" + value + "\" cannot be resolved: " + e.getMessage(), e);
        }
        return StringUtils.hasText(resolved) ? resolved : null;
    }

    private static @Nullable String name(@Nullable String consumer) {
        if (consumer == null) {
            return null;
        }
        if (consumer.length() > LONGEST_NAME || consumer.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "consumer has more than " + LONGEST_NAME + " characters, or a control character among them");
        }
        return consumer;
    }

    private static Duration retention(@Nullable String text, Duration byDefault) {
        if (text == null) {
            return byDefault;
        }
        Duration retention;
        try {
            retention = DurationFormatterUtils.detectAndParse(text);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "retention = \"" + text + "\" is no duration, such as 30d, 12h or PT36H", e);
        }
        if (retention.isNegative() || retention.isZero()) {
            throw new IllegalArgumentException("retention = \"" + text + "\" is not positive");
        }
        if (retention.compareTo(ConsumerSettings.LONGEST_RETENTION) > 0) {
            throw new IllegalArgumentException("retention = \"" + text + "\" is longer than 36500d");
        }
        return retention;
    }
}
