package io.inboxkit.benchmarks;

import io.inboxkit.benchmarks.Workers.Slice;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Variants side by side: in each round each variant has several short slices of time, in turn and in an order that rotates, so
 * that what disturbs the machine disturbs all of them. Ratios are formed within a round.
 */
final class Comparison {

    private static final Duration SLICE = Duration.ofMillis(100);
    private static final int SLICES_PER_ROUND = 2;

    private final List<Variant> variants;
    private final Map<String, Slice[]> measured = new HashMap<>();

    Comparison(List<Variant> variants) {
        this.variants = variants;
    }

    /** Measures all variants, after some rounds that do not count. */
    void run(Workers workers, int warmUpRounds, int rounds) throws InterruptedException {
        for (int round = 0; round < warmUpRounds; round++) {
            round(workers, round);
        }
        variants.forEach(variant -> measured.put(variant.name(), new Slice[rounds]));
        for (int round = 0; round < rounds; round++) {
            int current = round;
            round(workers, round).forEach((name, sum) -> measured(name)[current] = sum);
        }
    }

    private Map<String, Slice> round(Workers workers, int round) throws InterruptedException {
        Map<String, Slice> sums = new HashMap<>();
        for (int turn = 0; turn < SLICES_PER_ROUND; turn++) {
            for (int place = 0; place < variants.size(); place++) {
                Variant variant = variants.get((place + round + turn) % variants.size());
                sums.merge(variant.name(), workers.run(variant, SLICE), Slice::and);
            }
        }
        return sums;
    }

    /** Messages per second of a variant. */
    Quartiles rate(String variant) {
        return figures(variant, Comparison::perSecond);
    }

    /** Microseconds of processor time per message, of the threads that deliver. */
    Quartiles cpu(String variant) {
        return figures(variant, sum -> sum.cpuNanos() / 1e3 / sum.messages());
    }

    /** Of the ratios of two variants' messages per second in each round. */
    Quartiles ratio(String variant, String reference) {
        Slice[] ours = measured(variant);
        Slice[] theirs = measured(reference);
        return Quartiles.of(IntStream.range(0, ours.length)
                .mapToDouble(round -> perSecond(ours[round]) / perSecond(theirs[round]))
                .toArray());
    }

    private Quartiles figures(String variant, ToDoubleFunction<Slice> figure) {
        return Quartiles.of(Arrays.stream(measured(variant)).mapToDouble(figure).toArray());
    }

    private static double perSecond(Slice sum) {
        return sum.messages() * 1e9 / sum.nanos();
    }

    private Slice[] measured(String variant) {
        Slice[] sums = measured.get(variant);
        if (sums == null) {
            throw new IllegalArgumentException("There is no variant '" + variant + "'");
        }
        return sums;
    }

    /** The names of the variants, in the order in which they are shown. */
    List<String> names() {
        return variants.stream().map(Variant::name).toList();
    }
}
