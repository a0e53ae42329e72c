package io.inboxkit;

import io.inboxkit.InboxConfigurationException.Finding;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelMessage;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.Ternary;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * An expression over a message (SpEL) that gives its id or its scope. Immutable and safe for use by several threads.
 *
 * <p>Expressions read properties, records, maps and lists and call methods of what they find; they cannot refer to types or
 * beans, construct or assign anything. An expression that meets {@code null} gives none: {@code #payment.id} where there is no
 * payment, and {@code #tenant + ':' + #id} where one of the two is {@code null}, which SpEL alone would make the text
 * {@code acme:null}, one id for many messages.
 */
public final class MessageExpression {

    private static final Set<SpelMessage> MET_NULL = Set.of(
            SpelMessage.PROPERTY_OR_FIELD_NOT_READABLE_ON_NULL,
            SpelMessage.METHOD_CALL_ON_NULL_OBJECT_NOT_ALLOWED,
            SpelMessage.CANNOT_INDEX_INTO_NULL_VALUE);

    /** Interpreted: compiled expressions concatenate null, and refuse types that are not public. */
    private static final SpelExpressionParser PARSER = new SpelExpressionParser(new SpelParserConfiguration());

    private final String attribute;
    private final SpelExpression expression;

    private MessageExpression(String attribute, SpelExpression expression) {
        this.attribute = attribute;
        this.expression = expression;
    }

    /**
     * Parses an expression.
     *
     * @param attribute the attribute of {@link IdempotentConsumer} that it is the value of
     * @param handler how messages name the handler, see {@link HandlerSignature#describe}
     * @param expression the expression
     * @param variables the names that it may refer to, without their {@code #}
     * @throws InboxConfigurationException if it is no expression, or refers to what it cannot have
     */
    public static MessageExpression parse(String attribute, String handler, String expression, Set<String> variables) {
        String where = "The " + attribute + " \"" + expression + "\" of the handler " + handler;
        try {
            SpelExpression parsed = PARSER.parseRaw(expression);
            List<Finding> findings = ExpressionCheck.check(parsed.getAST(), where, variables);
            if (!findings.isEmpty()) {
                throw new InboxConfigurationException(findings);
            }
            return new MessageExpression(attribute, parsed);
        } catch (ParseException | IllegalArgumentException | IllegalStateException e) {
            String reason = e instanceof ParseException parse
                    ? "at position " + parse.getPosition() + ": " + parse.getSimpleMessage()
                    : e.getMessage();
            throw new InboxConfigurationException(
                    where + " is no expression (" + reason + ")",
                    "Write an expression of the Spring Expression Language, such as #payload.id");
        }
    }

    /** The expression as it was written. */
    public String text() {
        return expression.getExpressionString();
    }

    /**
     * The id, or scope, of a message.
     *
     * @param consumer the consumer, for the text of exceptions
     * @param variables the values of the message
     * @return {@code null} if the expression meets {@code null}, or gives {@code null} or blank text
     * @throws InvalidMessageIdException if the expression fails for another reason, or gives what is no id
     */
    public @Nullable MessageId evaluate(String consumer, MessageVariables variables) {
        return MessageId.of(
                value(consumer, new ExpressionContext(variables)),
                () -> "The result of " + attribute + " \"" + text() + "\" of consumer '" + consumer + "'");
    }

    private @Nullable Object value(String consumer, EvaluationContext context) {
        try {
            return concatenatesNull(expression.getAST(), context) ? null : expression.getValue(context);
        } catch (RuntimeException e) {
            if (e instanceof SpelEvaluationException evaluation && MET_NULL.contains(evaluation.getMessageCode())) {
                return null;
            }
            // Neither the cause nor its text: what it says of the payload must not get into a log.
            String reason = e instanceof SpelEvaluationException evaluation
                    ? evaluation.getMessageCode() + " at position " + evaluation.getPosition()
                    : e.getClass().getName();
            throw new InvalidMessageIdException("The " + attribute + " \"" + text() + "\" of consumer '" + consumer
                    + "' failed on a message (" + reason
                    + "). Correct the expression, or let the producer send what it expects");
        }
    }

    /** Whether the result is a concatenation in which one part is null. */
    private static boolean concatenatesNull(SpelNode node, EvaluationContext context) {
        if (node instanceof OpPlus) {
            for (int i = 0; i < node.getChildCount(); i++) {
                if (isNull(node.getChild(i), context)) {
                    return true;
                }
            }
        } else if (node instanceof Ternary) {
            boolean condition = Boolean.TRUE.equals(value(node.getChild(0), context));
            return concatenatesNull(node.getChild(condition ? 1 : 2), context);
        } else if (node instanceof Elvis) {
            Object preferred = value(node.getChild(0), context);
            boolean used = preferred != null && !"".equals(preferred);
            return concatenatesNull(node.getChild(used ? 0 : 1), context);
        }
        return false;
    }

    private static boolean isNull(SpelNode node, EvaluationContext context) {
        return concatenatesNull(node, context) || value(node, context) == null;
    }

    private static @Nullable Object value(SpelNode node, EvaluationContext context) {
        return node.getValue(new ExpressionState(context));
    }
}
