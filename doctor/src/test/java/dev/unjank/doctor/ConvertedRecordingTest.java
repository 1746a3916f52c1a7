package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.report.JudgementMessages;
import dev.unjank.doctor.report.MessageCatalogue;
import dev.unjank.doctor.report.WaitMessages;
import dev.unjank.doctor.report.WarningMessages;
import dev.unjank.doctor.report.text.TextReport;
import dev.unjank.doctor.scene.RealTraceDiagnoses;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.trace.convert.PerfettoConverter;
import dev.unjank.trace.model.Trace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The recording of a virtual machine as a Perfetto file: the doctor says of it what it says of the recording. */
class ConvertedRecordingTest {

    private static Trace converted(Trace trace) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PerfettoConverter.write(trace, bytes);
        return SceneDiagnoses.read(bytes.toByteArray());
    }

    private static void assertSame(Trace recording) throws IOException {
        Diagnosis first = Doctor.diagnose(recording, DoctorOptions.defaults());
        Diagnosis second = Doctor.diagnose(converted(recording), DoctorOptions.defaults());
        assertThat(JudgementMessages.of(second)).isEqualTo(JudgementMessages.of(first));
        assertThat(lines(second)).isEqualTo(lines(first));
        assertThat(WarningMessages.of(second.warnings()))
                .anyMatch(line -> line.contains("contains no scheduler events"));
        assertThat(WarningMessages.of(first.warnings()))
                .anyMatch(line -> line.contains("contains no scheduler events"));
    }

    private static List<String> lines(Diagnosis diagnosis) {
        return diagnosis.incidents().stream()
                .map(incident ->
                        incident.rootWait().durNs() + " " + incident.judgement().evidence() + " "
                                + MessageCatalogue.verdict(incident.judgement()) + " " + WaitMessages.threads(incident))
                .toList();
    }

    @Test
    void built() throws IOException {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.waits(SyntheticJvmTrace.MAIN, 10, 40, "worker", SyntheticJvmTrace.WORKER)
                    .slice(SyntheticJvmTrace.WORKER, 5, 38, "sleep", "sleeping")
                    .parksBehind(
                            SyntheticJvmTrace.OTHER,
                            50,
                            90,
                            0,
                            SyntheticJvmTrace.WORKER,
                            "void app.A.a()(A.java:1)",
                            70,
                            SyntheticJvmTrace.MAIN,
                            "")
                    .stop(100, 130, "gc", "GC pause: G1New (G1 Evacuation Pause)");
            assertSame(stage.trace());
        }
    }

    /** A machine whose system is not recorded has no name; its name is not an empty string. */
    @Test
    void aProcessWithoutANameIsNotOneCalledNothing() throws IOException {
        Trace trace = converted(RealTraceDiagnoses.trace("jmc_jdk17_monitoredvm.jfr"));
        Diagnosis diagnosis = Doctor.diagnose(trace, DoctorOptions.defaults());
        assertThat(JudgementMessages.of(diagnosis))
                .startsWith(
                        "Longest wait: blocked by a safepoint (incident #1). Waiter: all threads, in a safepoint pause for 54.399 ms");
        assertThat(TextReport.of(diagnosis, TextReport.Style.plain())).doesNotContain("all threads  of", " of \n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jmc_jdk17_monitoredvm.jfr", "jmc_full_gc_g1.jfr", "grafana_example.jfr.gz"})
    void real(String name) throws IOException {
        assertSame(RealTraceDiagnoses.trace(name));
    }
}
