package io.inboxkit.benchmarks;

import java.util.Arrays;
import java.util.List;

/**
 * What to measure.
 *
 * @param rounds the number of rounds that count
 * @param threads the numbers of threads
 * @param duplicatePercents the shares of duplicates
 * @param plan whether to show the plan of the claim on a large table
 */
record Options(int rounds, List<Integer> threads, List<Integer> duplicatePercents, boolean plan) {

    static final String USAGE =
            """
            benchmarks/run [options]
              --quick               fewer rounds, about a minute
              --rounds=N            rounds that count, for each number of threads and share of duplicates
              --threads=N,N         numbers of threads, each with a pool of as many connections
              --duplicates=P,P      shares of duplicates, in percent
              --no-plan             without the plan of the claim on a table of a million rows
            PostgreSQL: INBOX_TEST_POSTGRES_URL (with _USER and _PASSWORD), else a container, else an embedded server.
            """;

    static Options of(String... arguments) {
        Options options = new Options(30, List.of(1, 4, 8), List.of(20, 0), true);
        for (String argument : arguments) {
            options = options.with(argument);
        }
        return options;
    }

    private Options with(String argument) {
        int sign = argument.indexOf('=');
        String name = sign < 0 ? argument : argument.substring(0, sign);
        String value = sign < 0 ? "" : argument.substring(sign + 1);
        return switch (name) {
            case "--quick" -> new Options(6, threads, duplicatePercents, plan);
            case "--rounds" -> new Options(Integer.parseInt(value), threads, duplicatePercents, plan);
            case "--threads" -> new Options(rounds, numbers(value), duplicatePercents, plan);
            case "--duplicates" -> new Options(rounds, threads, numbers(value), plan);
            case "--no-plan" -> new Options(rounds, threads, duplicatePercents, false);
            default -> throw new IllegalArgumentException("There is no option '" + argument + "'.\n" + USAGE);
        };
    }

    private static List<Integer> numbers(String list) {
        return Arrays.stream(list.split(",", -1)).map(Integer::valueOf).toList();
    }
}
