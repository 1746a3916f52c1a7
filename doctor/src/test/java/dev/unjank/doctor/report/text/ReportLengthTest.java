package dev.unjank.doctor.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.judge.RootCauseFinder;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.scene.RealTraceDiagnoses;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.StubQueries;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A report of root causes fits in two screens and describes the first three; it says what it leaves out. */
class ReportLengthTest {
    private static final List<Integer> WIDTHS = List.of(40, 80, 100);

    static Stream<Path> examples() throws IOException {
        Path folder = Path.of(System.getProperty("unjank.root", ".."), "examples");
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().matches(".*[.](jfr[.]gz|pftrace)")).sorted().toList().stream();
        }
    }

    static Stream<String> names() {
        return RealTraceDiagnoses.names();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void reportsOfExamplesFit(Path file) throws IOException, UnusableTraceException {
        assertFits(TraceReader.read(file));
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("names")
    void reportsOfRealTracesFit(String name) {
        assertFits(RealTraceDiagnoses.trace(name));
    }

    /** Names of 600 characters fill many lines of a narrow terminal. */
    @Test
    void aReportOfLongNamesFits() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            String name = "com.example." + "layer.".repeat(98);
            for (int cause = 0; cause < 12; cause++) {
                stage.name(1000 + cause, "w" + "x".repeat(600) + (char) ('a' + cause));
                stage.name(2000 + cause, "o" + "x".repeat(600) + (char) ('a' + cause));
                stage.stacked(
                        1000 + cause,
                        10,
                        90,
                        "park",
                        "parking on %sLock (owner tid: %d)".formatted(name, 2000 + cause),
                        List.of(name + "take" + cause, name + "work" + cause, name + "run" + cause));
                stage.stacked(
                        2000 + cause,
                        10,
                        90,
                        "sleep",
                        "sleeping",
                        List.of(name + "hold" + cause, name + "run" + cause));
            }
            Diagnosis diagnosis = stage.diagnose().withWarnings(List.of());
            assertFits(diagnosis);
            assertThat(report(diagnosis, 40, false).replaceAll("\\s+", " "))
                    .contains("Lines that end in … are shortened; --cause N and --incidents show them in full.");
        }
    }

    /** All missed frames are listed where the user asks for them, whatever their number. */
    @Test
    void theListOfAllMissedFramesIsNotShortened() throws IOException, UnusableTraceException {
        Path file = examples()
                .filter(path -> path.endsWith("launcher-jank.pftrace"))
                .findFirst()
                .orElseThrow();
        Diagnosis diagnosis = Doctor.diagnose(TraceReader.read(file), DoctorOptions.defaults());
        long missed = diagnosis.frames().stream().filter(Frame::missed).count();
        assertThat(missed).isGreaterThan(5);
        String report = report(diagnosis, 80, true);
        assertThat(report.lines().filter(line -> line.contains("App Deadline Missed")))
                .hasSize((int) missed);
        assertThat(report.lines().filter(line -> line.startsWith("━━ "))).hasSize(3);
    }

    private static void assertFits(Trace trace) {
        for (DoctorOptions options : List.of(DoctorOptions.defaults(), SceneDiagnoses.EVERYTHING)) {
            assertFits(Doctor.diagnose(trace, options).withWarnings(List.of()));
        }
    }

    private static void assertFits(Diagnosis diagnosis) {
        int causes = diagnosis.incidents().isEmpty()
                ? 0
                : RootCauseFinder.of(diagnosis).causes().size();
        for (int width : WIDTHS) {
            assertFits(report(diagnosis, width, false), Math.min(3, causes));
        }
    }

    static void assertFits(String report, int blocks) {
        assertThat(report.lines()).hasSizeLessThanOrEqualTo(100);
        assertThat(report.lines().filter(line -> line.startsWith("━━ "))).hasSize(blocks);
        boolean isShortened = report.lines().anyMatch(line -> line.endsWith(" …"));
        assertThat(report.contains("Lines that end in … are")).isEqualTo(isShortened);
    }

    private static String report(Diagnosis diagnosis, int width, boolean allFrames) {
        return RootCauseReport.of(
                diagnosis, new TextReport.Style(width, false, true, 5, allFrames), StubQueries.OF_TRACE);
    }
}
