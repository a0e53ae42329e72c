package io.inboxkit.benchmarks;

import io.inboxkit.benchmarks.Workers.Slice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Variants side by side: in each round each variant has several short slices of time, in turn and in an order that rotates, so
 * that what disturbs the machine disturbs all of them. Ratios are formed within a round.
 */
final class Comparison {

    private static final Duration SLICE = Duration.ofMillis(100);
    private static final int SLICES_PER_ROUND = 2;

    private final List<Variant> variants;
    private final Map<String, double[]> perSecond = new HashMap<>();

    Comparison(List<Variant> variants) {
        this.variants = variants;
    }

    /** Measures all variants, after some rounds that do not count. */
    void run(Workers workers, int warmUpRounds, int rounds) throws InterruptedException {
        for (int round = 0; round < warmUpRounds; round++) {
            round(workers, round);
        }
        variants.forEach(variant -> perSecond.put(variant.name(), new double[rounds]));
        for (int round = 0; round < rounds; round++) {
            int current = round;
            round(workers, round).forEach((name, rate) -> perSecond(name)[current] = rate);
        }
    }

    private Map<String, Double> round(Workers workers, int round) throws InterruptedException {
        Map<String, Slice> sums = new HashMap<>();
        for (int turn = 0; turn < SLICES_PER_ROUND; turn++) {
            for (int place = 0; place < variants.size(); place++) {
                Variant variant = variants.get((place + round + turn) % variants.size());
                sums.merge(
                        variant.name(),
                        workers.run(variant, SLICE),
                        (a, b) -> new Slice(a.messages() + b.messages(), a.nanos() + b.nanos()));
            }
        }
        Map<String, Double> rates = new HashMap<>();
        sums.forEach((name, sum) -> rates.put(name, sum.messages() * 1e9 / sum.nanos()));
        return rates;
    }

    /** Messages per second of a variant. */
    Quartiles rate(String variant) {
        return Quartiles.of(perSecond(variant));
    }

    /** Of the ratios of two variants in each round. */
    Quartiles ratio(String variant, String reference) {
        double[] ours = perSecond(variant);
        double[] theirs = perSecond(reference);
        double[] ratios = new double[ours.length];
        for (int round = 0; round < ratios.length; round++) {
            ratios[round] = ours[round] / theirs[round];
        }
        return Quartiles.of(ratios);
    }

    private double[] perSecond(String variant) {
        double[] rates = perSecond.get(variant);
        if (rates == null) {
            throw new IllegalArgumentException("There is no variant '" + variant + "'");
        }
        return rates;
    }

    /** The names of the variants, in the order in which they are shown. */
    List<String> names() {
        List<String> names = new ArrayList<>();
        variants.forEach(variant -> names.add(variant.name()));
        return names;
    }
}
