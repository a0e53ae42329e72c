package io.inboxkit.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import java.util.List;
import java.util.Locale;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** What one message costs in a transaction of its own: the inbox, a claim written by hand, and no deduplication. */
public final class RecordPath {

    private static final int FIRST_WARM_UP = 15;
    private static final int WARM_UP = 2;

    private final BenchmarkDatabase database;
    private final Options options;

    private RecordPath(BenchmarkDatabase database, Options options) {
        this.database = database;
        this.options = options;
    }

    /** Runs the comparison, prints tables and ratios, and ends the JVM: with status 1 if it failed. */
    public static void main(String... arguments) {
        if (List.of(arguments).contains("--help")) {
            System.out.print(Options.USAGE);
            return;
        }
        int status = 0;
        try {
            measure(Options.of(arguments));
        } catch (RuntimeException | InterruptedException e) {
            e.printStackTrace();
            status = 1;
        }
        // The threads of a broker in this JVM would keep it from ending.
        System.exit(status);
    }

    private static void measure(Options options) throws InterruptedException {
        try (BenchmarkDatabase database = new BenchmarkDatabase()) {
            System.out.printf(
                    "PostgreSQL %s, Java %s, %d processors; fsync and synchronous_commit on; %d rounds; medians (quartiles)%n",
                    database.version(),
                    Runtime.version(),
                    Runtime.getRuntime().availableProcessors(),
                    options.rounds());
            new RecordPath(database, options).run();
        }
    }

    private void run() throws InterruptedException {
        int warmUp = FIRST_WARM_UP;
        for (int duplicatePercent : options.duplicatePercents()) {
            for (int threads : options.threads()) {
                compare(threads, duplicatePercent, warmUp);
                warmUp = WARM_UP;
            }
        }
        new RoundTripCount(database).print();
        if (options.plan()) {
            try (SingleConnectionDataSource connection = database.singleConnection()) {
                new ClaimPlan(connection).print();
            }
        }
    }

    private void compare(int threads, int duplicatePercent, int warmUp) throws InterruptedException {
        database.clear();
        try (HikariDataSource pool = database.pool(threads);
                Variants variants = new Variants(pool);
                Workers workers = new Workers(threads, duplicatePercent)) {
            Comparison comparison = new Comparison(variants.all());
            comparison.run(workers, warmUp, options.rounds());
            print(comparison, threads, duplicatePercent);
        }
    }

    private static void print(Comparison comparison, int threads, int duplicatePercent) {
        System.out.printf("%n%d threads, %d %% duplicates%n%n", threads, duplicatePercent);
        System.out.println("| variant | messages/s | to no deduplication | to hand-written | client µs/message |");
        System.out.println("| --- | --- | --- | --- | --- |");
        for (String name : comparison.names()) {
            System.out.printf(
                    "| %s | %s | %s | %s | %s |%n",
                    name,
                    comparison.rate(name).text(0),
                    comparison.ratio(name, Variants.NO_DEDUPLICATION).text(2),
                    comparison.ratio(name, Variants.HAND_WRITTEN).text(2),
                    comparison.cpu(name).text(0));
        }
        System.out.println();
        for (String name : comparison.names()) {
            for (String reference : List.of(Variants.NO_DEDUPLICATION, Variants.HAND_WRITTEN)) {
                if (!name.equals(reference)) {
                    System.out.printf(
                            Locale.ROOT,
                            "RATIO record.threads-%d.duplicates-%d.%s/%s %.3f%n",
                            threads,
                            duplicatePercent,
                            name,
                            reference,
                            comparison.ratio(name, reference).median());
                }
            }
        }
    }
}
