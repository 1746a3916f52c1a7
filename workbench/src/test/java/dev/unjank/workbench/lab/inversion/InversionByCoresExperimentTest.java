package dev.unjank.workbench.lab.inversion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.linux.LinuxThreads;
import dev.unjank.trace.model.Trace;
import dev.unjank.workbench.lab.run.QuickExperiment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class InversionByCoresExperimentTest {

    @TempDir
    static Path folder;

    private static QuickExperiment run;

    @BeforeAll
    static void experiment() throws IOException {
        run = QuickExperiment.of("inversion-by-cores", folder);
    }

    @Test
    void bothKindsOfMutexStandBesideWhatIsPublished() {
        int all = LinuxThreads.affinity(LinuxThreads.SELF).cardinality();

        String here = all == 1 ? "1 CPU" : all + " CPUs";
        for (String mutex : List.of("plain", "PI")) {
            List<String> row = run.row(here + ", " + mutex + " mutex");
            assertThat(row).as(run.output()).hasSize(5);
            assertThat(row.subList(0, 3)).as(run.output()).allMatch(count -> count.matches("[0-9,]+"));
            assertThat(row.get(3)).as(run.output()).matches("[0-9,.]+ ms");
        }
        assertThat(run.row("published, 8 cores, plain")).containsExactly("194", "0", "0", "6 ms");
    }

    /** Whether there is a wait within a second is the scheduler's business. */
    @Test
    void eachCaseHasATraceOfTheImportantThreadAndAReport() throws IOException {
        run.assumeScheduling();

        for (String mutex : List.of("plain", "pi")) {
            String name = LinuxThreads.affinity(LinuxThreads.SELF).cardinality() + "-cpus-" + mutex;
            Trace trace = run.trace(name);
            assertThat(IntStream.range(0, trace.threads().size())
                            .mapToObj(utid -> String.valueOf(trace.threads().name(utid))))
                    .as(name)
                    .contains("waiter", "owner-0", "owner-1", "camera-0");
            assertThat(run.text(name + ".json")).as(name).contains("\"incidents\"");
        }
    }
}
