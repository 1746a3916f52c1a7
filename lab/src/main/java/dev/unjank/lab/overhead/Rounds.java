package dev.unjank.lab.overhead;

import dev.unjank.bench.contest.Spread;
import dev.unjank.lab.Figures;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * What was measured of a workload, round by round: in each, all conditions within moments of each other, so that what else the
 * machine does falls upon all alike. Conditions are compared within a round only.
 */
final class Rounds {

    private final List<Map<Condition, Figures>> rounds = new ArrayList<>();

    /** Begins a round. */
    void begin() {
        rounds.add(new EnumMap<>(Condition.class));
    }

    /** Adds to the round. */
    void add(Condition condition, Figures figures) {
        rounds.getLast().put(condition, figures);
    }

    /** Whether a condition was measured at all. */
    boolean has(Condition condition) {
        return rounds.stream().allMatch(round -> round.containsKey(condition));
    }

    /** The median of a figure. */
    double median(Condition condition, ToDoubleFunction<Figures> figure) {
        return Spread.of(rounds.stream()
                        .mapToDouble(round -> figure.applyAsDouble(round.get(condition)))
                        .toArray())
                .median();
    }

    /** By how many percent of the unrecorded process's a figure is greater. */
    Spread morePercent(Condition condition, ToDoubleFunction<Figures> figure) {
        return Spread.of(rounds.stream()
                .mapToDouble(round -> 100
                        * (figure.applyAsDouble(round.get(condition))
                                        / figure.applyAsDouble(round.get(Condition.WITHOUT))
                                - 1))
                .toArray());
    }

    /**
     * By how many percent a figure of the unrecorded process is greater than in the round before: what is seen where there is no
     * difference, so that smaller ones say nothing.
     */
    Spread laterPercent(ToDoubleFunction<Figures> figure) {
        double[] without = rounds.stream()
                .mapToDouble(round -> figure.applyAsDouble(round.get(Condition.WITHOUT)))
                .toArray();
        return Spread.of(IntStream.range(1, without.length)
                .mapToDouble(i -> 100 * (without[i] / without[i - 1] - 1))
                .toArray());
    }

    /** By how much a figure is greater than the unrecorded process's. */
    Spread more(Condition condition, ToDoubleFunction<Figures> figure) {
        return Spread.of(rounds.stream()
                .mapToDouble(round ->
                        figure.applyAsDouble(round.get(condition)) - figure.applyAsDouble(round.get(Condition.WITHOUT)))
                .toArray());
    }
}
