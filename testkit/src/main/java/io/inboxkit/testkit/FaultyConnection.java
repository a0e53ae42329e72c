package io.inboxkit.testkit;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Stands in front of a connection and its statements, for {@link FaultyDataSource}. */
final class FaultyConnection implements InvocationHandler {

    private static final String CONNECTION_FAILURE = "08006";

    private final Connection target;
    private final FaultyDataSource owner;
    private final AtomicBoolean closed = new AtomicBoolean();

    private FaultyConnection(Connection target, FaultyDataSource owner) {
        this.target = target;
        this.owner = owner;
    }

    static Connection wrap(Connection target, FaultyDataSource owner) {
        owner.log().opened();
        return proxy(Connection.class, new FaultyConnection(target, owner));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        switch (method.getName()) {
            case "commit" -> {
                commit();
                return null;
            }
            case "rollback" -> owner.log().rolledBack();
            case "close", "abort" -> countClose();
            default -> {
                // Passed on as it is.
            }
        }
        Object result = call(target, method, arguments);
        return result instanceof Statement statement && !method.getName().equals("unwrap")
                ? wrap(statement, arguments)
                : result;
    }

    private void commit() throws SQLException {
        Fault fault = owner.takeAtCommit();
        if (fault != null && fault.point() == Fault.Point.BEFORE_COMMIT) {
            strike(fault);
        }
        target.commit();
        if (fault != null && fault.point() == Fault.Point.DURING_COMMIT) {
            strike(fault);
        }
        owner.log().committed();
        if (fault != null) {
            cut();
        }
    }

    private Statement wrap(Statement statement, Object @Nullable [] arguments) {
        String prepared = arguments != null && arguments.length > 0 && arguments[0] instanceof String sql ? sql : "";
        InvocationHandler handler = (proxy, method, values) -> {
            if (method.getName().startsWith("execute")) {
                String sql =
                        values != null && values.length > 0 && values[0] instanceof String given ? given : prepared;
                Fault fault = owner.takeAtStatement(owner.log().statement(sql), sql);
                if (fault != null) {
                    strike(fault);
                }
            }
            return call(statement, method, values);
        };
        if (statement instanceof CallableStatement) {
            return proxy(CallableStatement.class, handler);
        }
        return statement instanceof PreparedStatement
                ? proxy(PreparedStatement.class, handler)
                : proxy(Statement.class, handler);
    }

    private void strike(Fault fault) throws SQLException {
        if (!fault.sqlState().isEmpty()) {
            throw new SQLException("A fault of the test at " + fault.point(), fault.sqlState());
        }
        cut();
        throw new SQLException("The test has cut the connection at " + fault.point(), CONNECTION_FAILURE);
    }

    /** Closes the socket, so that the server ends the session and rolls back what is open. */
    private void cut() throws SQLException {
        countClose();
        target.abort(Runnable::run);
    }

    private void countClose() {
        if (closed.compareAndSet(false, true)) {
            owner.log().closed();
        }
    }

    private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(FaultyConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
