package io.inboxkit;

import io.inboxkit.InboxConfigurationException.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpDec;
import org.springframework.expression.spel.ast.OpInc;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * Finds at start-up what would make an expression fail on every message, or give null on every message: SpEL takes an unknown
 * variable for one that is null.
 */
final class ExpressionCheck {

    private static final Set<String> BUILT_IN = Set.of("#this", "#root");

    private final String where;
    private final Set<String> variables;
    private final List<Finding> findings = new ArrayList<>();

    private ExpressionCheck(String where, Set<String> variables) {
        this.where = where;
        this.variables = variables;
    }

    static List<Finding> check(SpelNode root, String where, Set<String> variables) {
        ExpressionCheck check = new ExpressionCheck(where, variables);
        check.visit(root, false, false);
        return check.findings;
    }

    /**
     * @param inElement whether names without a # belong to an element of a collection, or are keys
     * @param chained whether the node belongs to what is before the dot
     */
    private void visit(SpelNode node, boolean inElement, boolean chained) {
        if (node instanceof VariableReference) {
            checkVariable(node.toStringAST());
        } else if (node instanceof PropertyOrFieldReference || node instanceof MethodReference) {
            if (!inElement && !chained) {
                refuse("has " + node.toStringAST() + " without an object that it belongs to");
            }
        } else if (node instanceof TypeReference
                || node instanceof BeanReference
                || node instanceof ConstructorReference
                || node instanceof FunctionReference) {
            refuse("refers to " + node.toStringAST() + ", but an expression can only read the message");
            return;
        } else if (node instanceof Assign || node instanceof OpInc || node instanceof OpDec) {
            refuse("assigns a value, but an expression can only read the message");
        }
        boolean elements = inElement
                || node instanceof Selection
                || node instanceof Projection
                || node instanceof Indexer
                || node instanceof InlineMap;
        for (int i = 0; i < node.getChildCount(); i++) {
            visit(node.getChild(i), elements, i > 0 && node instanceof CompoundExpression);
        }
    }

    private void checkVariable(String reference) {
        if (!BUILT_IN.contains(reference) && !variables.contains(reference.substring(1))) {
            refuse("refers to " + reference + ", which there is not");
        }
    }

    private void refuse(String problem) {
        findings.add(new Finding(
                where + " " + problem,
                new TreeSet<>(variables)
                        .stream().map(name -> "#" + name).collect(Collectors.joining(", ", "Use ", ""))));
    }
}
