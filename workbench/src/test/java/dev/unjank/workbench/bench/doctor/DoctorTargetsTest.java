package dev.unjank.workbench.bench.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class DoctorTargetsTest {
    private static final long MB = 1_000_000;

    @Test
    void theWorstTraceDecides() {
        List<String> lines = DoctorTargets.lines(
                List.of(
                        measured("one", 200, 451, 1.0, 1.2, 400),
                        measured("two", 200, 449, 1.2, 1.25, 1_010),
                        measured("three", 200, 500, 1.1, 1.3, 400)),
                OptionalDouble.of(0.26));
        assertThat(lines)
                .extracting(line -> line.replaceAll(" +", " "))
                .containsExactly(
                        "target worst met trace",
                        "load, MB/s, repeated >= 450 449 no: 2 of 3 two",
                        "doctor, s, 200 MB <= 1.10 1.20 no: 2 of 3 two",
                        "doctor, bytes of memory per byte <= 5 5.05 no: 2 of 3 two",
                        "query, s, 200 MB <= 1.30 1.30 yes three",
                        "span join, s, 1,000,000 by 100,000 spans <= 0.25 0.26 no: 0 of 1");
    }

    @Test
    void smallTracesHaveTargetsOfTheirOwn() {
        TraceMeasurement small = new TraceMeasurement(
                "small", 3 * MB, 0, null, new TimedProcess(0.35, 0, 0), new TimedProcess(0.41, 0, 0));
        TraceMeasurement notSmall = new TraceMeasurement(
                "not small", 30 * MB, 0, null, new TimedProcess(3, 0, 0), new TimedProcess(3, 0, 0));
        assertThat(DoctorTargets.lines(List.of(small, notSmall), OptionalDouble.empty()))
                .extracting(line -> line.replaceAll(" +", " "))
                .containsExactly(
                        "target worst met trace",
                        "doctor, s, as recorded <= 0.35 0.35 yes small",
                        "query, s, as recorded <= 0.40 0.41 no: 0 of 1 small");
    }

    @Test
    void growthIsPerMegabyte() {
        List<String> lines = DoctorTargets.lines(
                List.of(
                        measured("straight", 200, 500, 1.0, 1.0, 400),
                        measured("straight", 1_000, 500, 5.0, 1.0, 2_000),
                        measured("bent", 200, 600, 1.0, 1.0, 400),
                        measured("bent", 1_000, 500, 6.0, 1.0, 2_000)),
                OptionalDouble.empty());
        assertThat(lines)
                .extracting(line -> line.replaceAll(" +", " "))
                .contains(
                        "load, s per MB, largest to smallest size <= 1.10 1.20 no: 1 of 2 bent",
                        "doctor, s per MB, largest to smallest size <= 1.10 1.20 no: 1 of 2 bent");
    }

    private static TraceMeasurement measured(
            String name, int megabytes, double loadMbPerSecond, double doctor, double query, int peakMegabytes) {
        TraceMeasurement.Load load = new TraceMeasurement.Load(loadMbPerSecond * MB, 100 * MB);
        TimedProcess doctorRun = new TimedProcess(doctor, doctor, peakMegabytes * MB);
        return new TraceMeasurement(
                name, megabytes * MB, megabytes * MB, load, doctorRun, new TimedProcess(query, query, 0));
    }
}
