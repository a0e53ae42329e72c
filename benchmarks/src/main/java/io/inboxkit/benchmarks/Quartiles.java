package io.inboxkit.benchmarks;

import java.util.Arrays;
import java.util.Locale;

/** Median and quartiles of some figures, by linear interpolation between the neighbours. */
record Quartiles(double lower, double median, double upper) {

    static Quartiles of(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return new Quartiles(at(sorted, 0.25), at(sorted, 0.5), at(sorted, 0.75));
    }

    private static double at(double[] sorted, double quantile) {
        double place = quantile * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }

    /** The median with the quartiles in brackets. */
    String text(int decimals) {
        String number = "%." + decimals + "f";
        return String.format(Locale.ROOT, number + " (" + number + "–" + number + ")", median, lower, upper);
    }
}
