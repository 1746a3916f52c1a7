package dev.unjank.workbench.bench.comparison;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What was measured for one question: a figure for each peer, circumstance, value and round. */
final class QuestionResults {
    private record Place(Candidate peer, String circumstance, int value) {}

    private final Candidate first;
    private final Map<Place, List<Double>> figures = new HashMap<>();

    /** With the contestant to which targets without a name apply. */
    QuestionResults(Candidate first) {
        this.first = first;
    }

    Candidate first() {
        return first;
    }

    /** Adds the figures of one turn; turns of the same number belong to the same round. */
    void add(Candidate peer, String circumstance, double[] values) {
        for (int i = 0; i < values.length; i++) {
            figures.computeIfAbsent(new Place(peer, circumstance, i), place -> new ArrayList<>())
                    .add(values[i]);
        }
    }

    /** The figures of all rounds, none if this was not measured. */
    double[] of(Candidate peer, String circumstance, int value) {
        return figures.getOrDefault(new Place(peer, circumstance, value), List.of()).stream()
                .mapToDouble(Double::doubleValue)
                .toArray();
    }

    /** NaN if this was not measured. */
    double median(Candidate peer, String circumstance, int value) {
        return MedianInterval.of(of(peer, circumstance, value)).median();
    }
}
