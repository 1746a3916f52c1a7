package dev.unjank.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Judgement;
import dev.unjank.doctor.model.PreemptingThread;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The recording that is shipped: what the doctor says of it is what the program in it does. */
class ExampleTraceTest {
    private static final Path FILE =
            Path.of(System.getProperty("unjank.root")).resolve("examples").resolve("launcher-jank.pftrace");

    @Test
    void theUiThreadWaitsForExecutorsThatCamerasKeepFromRunning() throws IOException {
        Trace trace = TraceReader.read(FILE);
        Diagnosis diagnosis = Doctor.diagnose(trace, DoctorOptions.defaults());

        Incident worst = diagnosis.incidents().getFirst();
        assertThat(worst.rootWait().thread().name()).isEqualTo("ui");
        assertThat(worst.rootWait().kind()).isEqualTo(WaitKind.MONITOR);
        assertThat(worst.verdict()).isEqualTo(Verdict.PRIORITY_INVERSION);
        assertThat(worst.judgement()).extracting(Judgement::unbounded).isEqualTo(true);
        assertThat(worst.judgement().evidence()).isNotEqualTo(Evidence.UNKNOWN);
        assertThat(worst.owner().thread().name()).startsWith("executor-");
        assertThat(worst.owner().thread().isLessImportantThan(worst.rootWait().thread()))
                .isTrue();
        assertThat(worst.preemptingThreads())
                .extracting(PreemptingThread::thread)
                .anySatisfy(culprit -> assertThat(culprit.name()).startsWith("camera-"));
        assertThat(diagnosis.costsOf(worst)).isNotEmpty();
        List<Incident> inversions = diagnosis.incidents().stream()
                .filter(incident -> incident.verdict() == Verdict.PRIORITY_INVERSION)
                .toList();
        assertThat(inversions)
                .hasSizeGreaterThan(10)
                .allSatisfy(incident ->
                        assertThat(incident.rootWait().thread().name()).isEqualTo("ui"));
    }

    @Test
    void perfettosTableOfContentionIsFilled() {
        String waits =
                "INCLUDE PERFETTO MODULE android.monitor_contention; SELECT count(*) > 50 AS many, min(blocked_thread_tid) > 0 AS waiters,"
                        + " min(blocking_thread_tid) > 0 AS owners, min(dur) > 0 AS long,"
                        + " sum(blocked_thread_name = 'ui' AND blocking_thread_name GLOB 'executor-*') > 10 AS known"
                        + " FROM android_monitor_contention";

        CommandRun run = CommandRun.of("query", FILE.toString(), waits, "--format", "csv");

        assertThat(run.out()).as(run.err()).endsWith("\n1,1,1,1,1\n");
    }

    @Test
    void itIsSmallAndWhole() throws IOException {
        Trace trace = TraceReader.read(FILE);

        assertThat(Files.size(FILE)).isLessThan(600_000);
        assertThat(trace.hasScheduling()).isTrue();
        assertThat(trace.frames().size()).isGreaterThan(30);
    }
}
