package io.inboxkit.benchmarks;

import org.springframework.jdbc.core.JdbcTemplate;

/** The handler of all variants: one insert into a business table. */
final class Payments {

    private final JdbcTemplate jdbc;

    Payments(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    void store(Delivery delivery) {
        jdbc.update("insert into payment (message_id, amount) values (?, ?)", delivery.id(), delivery.amount());
    }
}
