package io.inboxkit.kafka.faults;

import io.inboxkit.testkit.KillPoint;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Places kill points around the claim of a message and around the commit of its transaction. */
final class KillPointDataSource extends DelegatingDataSource {

    private static final Pattern CLAIM = Pattern.compile("insert into inbox_(message|position)");

    static final String BEFORE_CLAIM = "before-claim";
    static final String AFTER_CLAIM = "after-claim";
    static final String BEFORE_COMMIT = "before-commit";
    static final String AFTER_COMMIT = "after-commit";

    KillPointDataSource(DataSource pool) {
        super(pool);
    }

    @Override
    public Connection getConnection() throws SQLException {
        return proxy(Connection.class, new Watch(super.getConnection()));
    }

    /** Watches one use of a connection. */
    private static final class Watch implements InvocationHandler {

        private final Connection target;
        private boolean claimed;

        Watch(Connection target) {
            this.target = target;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            // Other transactions, such as those of migrations, have the same commit and no claim.
            if (method.getName().equals("commit") && claimed) {
                KillPoint.reached(BEFORE_COMMIT);
                target.commit();
                claimed = false;
                KillPoint.reached(AFTER_COMMIT);
                return null;
            }
            Object result = call(target, method, arguments);
            return result instanceof PreparedStatement statement
                            && arguments != null
                            && CLAIM.matcher(String.valueOf(arguments[0])).find()
                    ? proxy(PreparedStatement.class, claim(statement))
                    : result;
        }

        private InvocationHandler claim(PreparedStatement statement) {
            return (proxy, method, arguments) -> {
                if (!method.getName().startsWith("execute")) {
                    return call(statement, method, arguments);
                }
                KillPoint.reached(BEFORE_CLAIM);
                Object result = call(statement, method, arguments);
                claimed = true;
                KillPoint.reached(AFTER_CLAIM);
                return result;
            };
        }
    }

    private static @Nullable Object call(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(KillPointDataSource.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
