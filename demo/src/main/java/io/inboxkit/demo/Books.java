package io.inboxkit.demo;

import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What the database says: the deliveries that the consumer noted, and the payments that it booked. */
final class Books {

    private final JdbcClient jdbc;

    Books(DataSource dataSource) {
        this.jdbc = JdbcClient.create(dataSource);
    }

    /** Makes the table of the deliveries; that of the payments is the application's. */
    void open() {
        jdbc.sql(
                        """
                        create table demo_delivery (
                            id bigint generated always as identity primary key,
                            kafka_partition integer not null,
                            kafka_offset bigint not null,
                            outcome text)
                        """)
                .update();
    }

    int deliveries() {
        return count("select count(*) from demo_delivery");
    }

    int deliveries(String outcome) {
        return jdbc.sql("select count(*) from demo_delivery where outcome = ?")
                .param(outcome)
                .query(Integer.class)
                .single();
    }

    int payments() {
        return count("select count(*) from payment");
    }

    /** The number of payments of each order that has any, in the order of their numbers. */
    Map<String, Integer> paymentsByOrder() {
        Map<String, Integer> payments = new LinkedHashMap<>();
        jdbc.sql("select order_id, count(*) as payments from payment group by order_id order by order_id")
                .query(row -> {
                    payments.put(row.getString("order_id"), row.getInt("payments"));
                });
        return payments;
    }

    /** How far the consumer is, in words; both counts are of the same moment. */
    String progress() {
        if (deliveries() == 0) {
            // The application may not have made its table yet.
            return "no delivery yet";
        }
        return jdbc.sql(
                        "select (select count(*) from demo_delivery) as deliveries, (select count(*) from payment) as payments")
                .query((row, number) ->
                        "%d deliveries, %d payments".formatted(row.getInt("deliveries"), row.getInt("payments")))
                .single();
    }

    private int count(String query) {
        return jdbc.sql(query).query(Integer.class).single();
    }
}
