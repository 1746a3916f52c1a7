package dev.unjank.workbench.lab.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.workbench.lab.run.QuickExperiment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class LauncherJankExperimentTest {

    private static final String LOOPER = "dev.unjank.looper.";

    @TempDir
    static Path folder;

    private static QuickExperiment run;

    @BeforeAll
    static void experiment() throws IOException {
        run = QuickExperiment.of("launcher-jank", folder);
    }

    @Test
    void theTableHasBothQueuesAndWhatIsPublished() {
        assertThat(run.row("frames missed")).as(run.output()).hasSize(4).last().isEqualTo("4 % apps, 7.7 % launcher");
        assertThat(run.row("start to first frame, p95 of 5")).as(run.output()).hasSize(4);
        assertThat(run.row("longest wait for a lock")).as(run.output()).hasSize(4);
    }

    /**
     * A lock of the virtual machine's own may come in between, once in a while, and does not count. Neither does the
     * monitor of a HandlerThread, with which its start waits for a caller of getLooper: it is not the queue's.
     */
    @Test
    void theLockFreeQueueKeepsNobodyWaiting() throws IOException {
        assertThat(placesOfLocks("lock-free"))
                .as(run.output())
                .filteredOn(place -> !place.equals(LOOPER + "HandlerThread.run"))
                .noneMatch(place -> place.startsWith(LOOPER));
        assertThat(run.row("priority inversions").get(1)).as(run.output()).isIn("0", "not known");
    }

    @Test
    void theMonitorQueueInvertsPriorities() throws IOException {
        run.assumeScheduling();

        assertThat(Integer.parseInt(run.row("priority inversions").getFirst()))
                .as(run.output())
                .isPositive();
        List<Incident> inversions = incidents("monitor").stream()
                .filter(incident -> incident.verdict() == Verdict.PRIORITY_INVERSION)
                .toList();
        assertThat(inversions).as(run.output()).anySatisfy(inversion -> {
            assertThat(inversion.blocker())
                    .isNotNull()
                    .extracting(owner -> owner.thread().name())
                    .asString()
                    .startsWith("executor-");
            assertThat(inversion.preemptingThreads())
                    .extracting(culprit -> culprit.thread().name())
                    .anyMatch(name -> String.valueOf(name).startsWith("camera-"));
        });
        assertThat(placesOfLocks("monitor")).as(run.output()).anyMatch(place -> place.startsWith(LOOPER));
    }

    /** Where the UI thread waited for locks, and where those were that had them. */
    private static List<String> placesOfLocks(String queue) throws IOException {
        return incidents(queue).stream()
                .filter(incident -> incident.rootWait().kind().isLock())
                .flatMap(incident -> Stream.of(
                        incident.rootWait().location(), incident.owner().location()))
                .filter(Objects::nonNull)
                .map(CodeLocation::method)
                .toList();
    }

    /** What the UI thread waited for. */
    private static List<Incident> incidents(String queue) throws IOException {
        DoctorOptions options = new DoctorOptions(LauncherProgram.UI, null, Duration.ZERO);
        return Doctor.diagnose(run.trace(queue), options).incidents();
    }

    @Test
    void tracesAndPagesAreKept() throws IOException {
        for (String queue : List.of("monitor", "lock-free")) {
            assertThat(run.trace(queue).slices().size()).as(queue).isPositive();
            assertThat(run.text(queue + ".html")).as(queue).contains("<html");
        }
    }
}
