package io.inboxkit.jdbc;

import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells errors of PostgreSQL apart by their SQLSTATE, never by their text. */
final class SqlStates {

    private static final String SERIALIZATION_FAILURE = "40001";
    private static final String DEADLOCK_DETECTED = "40P01";
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private SqlStates() {}

    /** Whether the same transaction, tried again, may go through. */
    static boolean isConflict(Throwable failure) {
        String state = of(failure);
        return SERIALIZATION_FAILURE.equals(state) || DEADLOCK_DETECTED.equals(state);
    }

    /** Whether a lock was not given within {@code lock_timeout}. */
    static boolean isLockTimeout(Throwable failure) {
        return LOCK_NOT_AVAILABLE.equals(of(failure));
    }

    /** The SQLSTATE of the first SQL error in the chain of causes, or {@code null}. */
    static @Nullable String of(Throwable failure) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Throwable cause = failure; cause != null && seen.add(cause); cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                return sql.getSQLState();
            }
        }
        return null;
    }
}
