package io.inboxkit.outbox.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/** Runs single statements, each in a transaction of its own, whether or not the pool commits by itself. Thread-safe. */
final class Statements {

    private final JdbcTemplate jdbc;

    Statements(DataSource dataSource) {
        this.jdbc = new JdbcTemplate(dataSource);
    }

    /** Gives a statement its parameters. */
    interface Binder {
        void bind(Parameters parameters) throws SQLException;
    }

    /** Reads a result. */
    interface Extractor<T> {
        T extract(ResultSet rows) throws SQLException;
    }

    <T> T query(String sql, Binder binder, Extractor<T> extractor) {
        return execute(sql, statement -> {
            binder.bind(new Parameters(statement));
            boolean rows = statement.execute();
            ResultSet last = null;
            // Settings before the statement give a result of their own.
            while (rows || statement.getUpdateCount() >= 0) {
                last = rows ? statement.getResultSet() : last;
                rows = statement.getMoreResults(Statement.KEEP_CURRENT_RESULT);
            }
            if (last == null) {
                throw new SQLException("The statement gave no rows: " + sql);
            }
            return extractor.extract(last);
        });
    }

    int update(String sql, Binder binder) {
        return execute(sql, statement -> {
            binder.bind(new Parameters(statement));
            boolean rows = statement.execute();
            if (rows) {
                statement.getMoreResults();
            }
            return statement.getUpdateCount();
        });
    }

    private interface Work<T> {
        T run(PreparedStatement statement) throws SQLException;
    }

    private <T> T execute(String sql, Work<T> work) {
        ConnectionCallback<T> callback = connection -> {
            T result;
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                result = work.run(statement);
            }
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
            return result;
        };
        T result = jdbc.execute(callback);
        if (result == null) {
            throw new IllegalStateException("No result");
        }
        return result;
    }

    /** The parameters of a statement, one after the other. */
    static final class Parameters {

        private final PreparedStatement statement;
        private int index;

        private Parameters(PreparedStatement statement) {
            this.statement = statement;
        }

        Parameters add(@Nullable Object value) throws SQLException {
            statement.setObject(++index, value);
            return this;
        }

        Parameters bigints(Collection<Long> values) throws SQLException {
            return array("int8", values.toArray(Long[]::new));
        }

        Parameters smallints(Collection<Integer> values) throws SQLException {
            return array("int2", values.stream().map(Integer::shortValue).toArray(Short[]::new));
        }

        Parameters texts(Collection<String> values) throws SQLException {
            return array("text", values.toArray(String[]::new));
        }

        private Parameters array(String type, Object[] values) throws SQLException {
            Connection connection = statement.getConnection();
            statement.setArray(++index, connection.createArrayOf(type, values));
            return this;
        }
    }
}
