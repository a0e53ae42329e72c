package io.inboxkit;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.MethodResolver;
import org.springframework.expression.OperatorOverloader;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypeComparator;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.TypeLocator;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.MapAccessor;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * What an expression may do: read one message. All but the variables is shared, and safe for use by several threads; they are
 * looked up when they are referred to, since some of them cost something.
 */
final class ExpressionContext implements EvaluationContext {

    private static final SimpleEvaluationContext READING = SimpleEvaluationContext.forPropertyAccessors(
                    new NullForMissingKey(), DataBindingPropertyAccessor.forReadOnlyAccess())
            .withInstanceMethods()
            .withAssignmentDisabled()
            .build();

    private final MessageVariables variables;

    ExpressionContext(MessageVariables variables) {
        this.variables = variables;
    }

    /** {@code #payload.id} is null where a map has no such key, as it is for a property that is null. */
    private static final class NullForMissingKey extends MapAccessor {

        NullForMissingKey() {
            super(false);
        }

        @Override
        public boolean canRead(EvaluationContext context, @Nullable Object target, String name) {
            return target instanceof Map;
        }

        @Override
        public TypedValue read(EvaluationContext context, @Nullable Object target, String name) {
            return new TypedValue(target instanceof Map<?, ?> map ? map.get(name) : null);
        }
    }

    @Override
    public @Nullable Object lookupVariable(String name) {
        return variables.get(name);
    }

    @Override
    public void setVariable(String name, @Nullable Object value) {
        throw new UnsupportedOperationException("The expression sets #" + name + ", but it may only read");
    }

    @Override
    public boolean isAssignmentEnabled() {
        return READING.isAssignmentEnabled();
    }

    @Override
    public TypedValue getRootObject() {
        return READING.getRootObject();
    }

    @Override
    public List<PropertyAccessor> getPropertyAccessors() {
        return READING.getPropertyAccessors();
    }

    @Override
    public List<MethodResolver> getMethodResolvers() {
        return READING.getMethodResolvers();
    }

    @Override
    public @Nullable BeanResolver getBeanResolver() {
        return READING.getBeanResolver();
    }

    @Override
    public TypeLocator getTypeLocator() {
        return READING.getTypeLocator();
    }

    @Override
    public TypeConverter getTypeConverter() {
        return READING.getTypeConverter();
    }

    @Override
    public TypeComparator getTypeComparator() {
        return READING.getTypeComparator();
    }

    @Override
    public OperatorOverloader getOperatorOverloader() {
        return READING.getOperatorOverloader();
    }
}
