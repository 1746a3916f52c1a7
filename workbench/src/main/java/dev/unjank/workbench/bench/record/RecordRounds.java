package dev.unjank.workbench.bench.record;

import dev.unjank.workbench.bench.comparison.MedianInterval;
import dev.unjank.workbench.lab.run.Measurements;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The figures of a workload by round. A round measures all conditions shortly after each other, so that other load
 * affects all equally. Conditions are compared only within a round.
 */
final class RecordRounds {
    private final List<Map<RecordingMode, Measurements>> rounds = new ArrayList<>();

    void begin() {
        rounds.add(new EnumMap<>(RecordingMode.class));
    }

    void add(RecordingMode condition, Measurements figures) {
        rounds.getLast().put(condition, figures);
    }

    boolean has(RecordingMode condition) {
        return rounds.stream().allMatch(round -> round.containsKey(condition));
    }

    double median(RecordingMode condition, ToDoubleFunction<Measurements> figure) {
        return MedianInterval.of(rounds.stream()
                        .mapToDouble(round -> figure.applyAsDouble(round.get(condition)))
                        .toArray())
                .median();
    }

    /** The increase of a figure over that of the unrecorded process, in percent. */
    MedianInterval morePercent(RecordingMode condition, ToDoubleFunction<Measurements> figure) {
        return MedianInterval.of(rounds.stream()
                .mapToDouble(round -> 100
                        * (figure.applyAsDouble(round.get(condition))
                                        / figure.applyAsDouble(round.get(RecordingMode.WITHOUT))
                                - 1))
                .toArray());
    }

    /**
     * The increase of a figure of the unrecorded process over the previous round, in percent: the noise level, below
     * which differences are not significant.
     */
    MedianInterval laterPercent(ToDoubleFunction<Measurements> figure) {
        double[] without = rounds.stream()
                .mapToDouble(round -> figure.applyAsDouble(round.get(RecordingMode.WITHOUT)))
                .toArray();
        return MedianInterval.of(IntStream.range(1, without.length)
                .mapToDouble(i -> 100 * (without[i] / without[i - 1] - 1))
                .toArray());
    }

    /** The increase of a figure over that of the unrecorded process. */
    MedianInterval more(RecordingMode condition, ToDoubleFunction<Measurements> figure) {
        return MedianInterval.of(rounds.stream()
                .mapToDouble(round -> figure.applyAsDouble(round.get(condition))
                        - figure.applyAsDouble(round.get(RecordingMode.WITHOUT)))
                .toArray());
    }
}
