package dev.unjank.lab.inversion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.lab.QuickRun;
import dev.unjank.lab.linux.Scheduling;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InversionByCoresTest {

    @TempDir
    static Path folder;

    private static QuickRun run;

    @BeforeAll
    static void experiment() throws IOException {
        run = QuickRun.of("inversion-by-cores", folder);
    }

    @Test
    void bothKindsOfMutexStandBesideWhatIsPublished() {
        int all = Scheduling.processors().cardinality();

        String here = all == 1 ? "1 CPU" : all + " CPUs";
        assertThat(run.row(here + ", plain mutex")).as(run.output()).hasSize(5);
        assertThat(run.row(here + ", PI mutex")).as(run.output()).hasSize(5);
        assertThat(run.row("published, 8 cores, plain")).containsExactly("194", "0", "0", "6 ms");
    }

    @Test
    void waitsForTheMutexAreInTheTrace() throws IOException {
        run.assumeScheduling();

        String name = Scheduling.processors().cardinality() + "-cpus-plain";
        assertThat(run.trace(name).slices().size()).as(run.output()).isPositive();
        assertThat(run.text(name + ".json")).contains("\"waiter\"");
    }
}
