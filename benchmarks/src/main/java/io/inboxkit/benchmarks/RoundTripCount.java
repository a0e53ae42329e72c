package io.inboxkit.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import io.inboxkit.testkit.RoundTrips;
import java.util.List;
import java.util.Locale;

/** Counts how often each variant waits for the server, for a new message and for a duplicate, the handler's own insert included. */
final class RoundTripCount {

    private static final int MESSAGES = 50;

    private final BenchmarkDatabase database;

    RoundTripCount(BenchmarkDatabase database) {
        this.database = database;
    }

    void print() {
        System.out.printf("%n| variant | round trips of a new message | of a duplicate |%n| --- | --- | --- |%n");
        try (RoundTrips trips = database.roundTrips();
                HikariDataSource pool = database.pool(1, trips);
                Variants variants = new Variants(pool)) {
            for (Variant variant : variants.all()) {
                Deliveries deliveries = new Deliveries(variant.hashCode(), 0, 0);
                List<Delivery> first = deliveries.list(MESSAGES);
                count(variant, first, trips);
                count(variant, first, trips);
                List<Delivery> fresh = deliveries.list(MESSAGES);
                double ofNew = count(variant, fresh, trips);
                double ofDuplicate = count(variant, fresh, trips);
                System.out.printf(Locale.ROOT, "| %s | %.2f | %.2f |%n", variant.name(), ofNew, ofDuplicate);
            }
        }
    }

    private static double count(Variant variant, List<Delivery> deliveries, RoundTrips trips) {
        trips.reset();
        deliveries.forEach(variant::deliver);
        return trips.count() / (double) deliveries.size();
    }
}
