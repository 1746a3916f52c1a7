package dev.unjank.workbench.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.scene.LauncherExample;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the example, a launcher whose main thread waits for a thread of low priority. */
class CaseIncidentsTest {

    @TempDir
    private Path folder;

    private Diagnosis diagnosis;

    @BeforeEach
    void diagnose() throws IOException {
        Path file = Files.write(folder.resolve("example.pftrace"), LauncherExample.trace());
        diagnosis = Doctor.diagnose(TraceReader.read(file), DoctorOptions.defaults());
    }

    @Test
    void theLongestInversionIsASentenceWithThreadsPrioritiesAndTimes() {
        CaseIncidents locks = CaseIncidents.of(
                diagnosis, incident -> incident.rootWait().kind().isLock());

        assertThat(locks.count(Verdict.PRIORITY_INVERSION)).isPositive();
        assertThat(locks.verdicts()).contains("PRIORITY_INVERSION");
        assertThat(locks.longest(Verdict.PRIORITY_INVERSION))
                .matches(
                        "PRIORITY_INVERSION: .+ \\(priority \\d+\\) waited [0-9.]+ ms for .+ \\(priority \\d+\\), which was"
                                + " runnable for [0-9.]+ ms; meanwhile ran .+ for [0-9.]+ ms");
        assertThat(locks.longestNs()).isPositive().isLessThanOrEqualTo(locks.totalNs());
    }

    @Test
    void nothingIsSaidOfWhatIsNotThere() {
        CaseIncidents none = CaseIncidents.of(diagnosis, _ -> false);

        assertThat(none.verdicts()).isEqualTo("none");
        assertThat(none.longest(Verdict.PRIORITY_INVERSION)).isEmpty();
        assertThat(none.totalNs()).isZero();
    }

    @Test
    void timesAndSharesAreShort() {
        assertThat(CaseIncidents.millis(1_234_567)).isEqualTo("1.2 ms");
        assertThat(CaseIncidents.millis(1_234_567_890)).isEqualTo("1,235 ms");
        assertThat(CaseIncidents.less(200, 50)).isEqualTo("75 %");
        assertThat(CaseIncidents.less(0, 50)).isEqualTo("-");
    }
}
