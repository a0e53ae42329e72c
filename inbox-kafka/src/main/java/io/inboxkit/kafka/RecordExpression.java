package io.inboxkit.kafka;

import io.inboxkit.InvalidMessageIdException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelMessage;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.MapAccessor;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** An expression of the annotation over one record. Thread-safe. */
final class RecordExpression {

    private final String attribute;
    private final Expression expression;
    private final @Nullable String payloadName;
    private final BeanFactory beans;

    /**
     * @param attribute the attribute of the annotation, for messages
     * @param payloadName the name of the handler's payload parameter, or {@code null} if it has none
     * @throws IllegalArgumentException if the text is no expression
     */
    RecordExpression(String attribute, String text, @Nullable String payloadName, BeanFactory beans) {
        this.attribute = attribute;
        this.payloadName = payloadName;
        this.beans = beans;
        try {
            this.expression = new SpelExpressionParser().parseExpression(text);
        } catch (ParseException e) {
            throw new IllegalArgumentException(
                    attribute + " = \"" + text + "\" is no SpEL expression: " + e.getSimpleMessage(), e);
        }
    }

    /** The value, or {@code null} if the expression met a null on its way. */
    @Nullable
    Object valueOf(RecordDelivery delivery) {
        ConsumerRecord<?, ?> kafkaRecord = delivery.kafkaRecord();
        StandardEvaluationContext context = new StandardEvaluationContext();
        context.addPropertyAccessor(new MapAccessor());
        context.setBeanResolver(new BeanFactoryResolver(beans));
        context.setVariable("payload", delivery.payload());
        context.setVariable("key", kafkaRecord.key());
        context.setVariable("record", kafkaRecord);
        context.setVariable("message", kafkaRecord);
        context.setVariable("headers", RawHeaders.byName(kafkaRecord.headers()));
        if (payloadName != null) {
            context.setVariable(payloadName, delivery.payload());
        }
        try {
            return expression.getValue(context);
        } catch (EvaluationException e) {
            if (metNull(e)) {
                return null;
            }
            throw new InvalidMessageIdException(
                    "The expression " + attribute + " = \"" + expression.getExpressionString()
                            + "\" fails for the record at " + delivery.position() + " ("
                            + e.getClass().getSimpleName()
                            + "). Correct the expression, or the producer of the message");
        }
    }

    private static boolean metNull(EvaluationException failure) {
        if (!(failure instanceof SpelEvaluationException spel)) {
            return false;
        }
        SpelMessage code = spel.getMessageCode();
        return code == SpelMessage.PROPERTY_OR_FIELD_NOT_READABLE_ON_NULL
                || code == SpelMessage.METHOD_CALL_ON_NULL_OBJECT_NOT_ALLOWED
                || code == SpelMessage.CANNOT_INDEX_INTO_NULL_VALUE;
    }

    @Override
    public String toString() {
        return expression.getExpressionString();
    }
}
