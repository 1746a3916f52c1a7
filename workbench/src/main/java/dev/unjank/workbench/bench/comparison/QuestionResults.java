package dev.unjank.workbench.bench.comparison;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The results of one benchmark: a figure for each implementation, condition, value and round. */
final class QuestionResults {
    private record Place(Candidate peer, String circumstance, int value) {}

    private final Candidate first;
    private final Map<Place, List<Double>> figures = new HashMap<>();

    /** Creates empty results. Targets that name no implementation apply to {@code first}. */
    QuestionResults(Candidate first) {
        this.first = first;
    }

    Candidate first() {
        return first;
    }

    /** Adds the figures of one measurement; the n-th measurement of each implementation belongs to round n. */
    void add(Candidate peer, String circumstance, double[] values) {
        for (int i = 0; i < values.length; i++) {
            figures.computeIfAbsent(new Place(peer, circumstance, i), place -> new ArrayList<>())
                    .add(values[i]);
        }
    }

    /** The figures of all rounds; empty if not measured. */
    double[] of(Candidate peer, String circumstance, int value) {
        return figures.getOrDefault(new Place(peer, circumstance, value), List.of()).stream()
                .mapToDouble(Double::doubleValue)
                .toArray();
    }

    /** The median; NaN if not measured. */
    double median(Candidate peer, String circumstance, int value) {
        return MedianInterval.of(of(peer, circumstance, value)).median();
    }
}
