package io.inboxkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class SqlStatesTest {

    @Test
    void stateIsFoundBehindOtherCauses() {
        assertThat(SqlStates.of(new IllegalStateException(new RuntimeException(new SQLException("text", "40001")))))
                .isEqualTo("40001");
    }

    @Test
    void textIsNeverRead() {
        assertThat(SqlStates.isConflict(new SQLException("ERROR: deadlock detected 40P01", "XX000")))
                .isFalse();
        assertThat(SqlStates.isConflict(new SQLException("anything", "40P01"))).isTrue();
        assertThat(SqlStates.isLockTimeout(new SQLException("anything", "55P03")))
                .isTrue();
    }

    @Test
    void causesInACircleEnd() {
        RuntimeException first = new RuntimeException();
        RuntimeException second = new RuntimeException(first);
        first.initCause(second);

        assertThat(SqlStates.of(first)).isNull();
    }
}
