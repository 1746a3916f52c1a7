package dev.unjank.record.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.record.linux.Proc;
import dev.unjank.record.live.ThreadCpuLoads.Load;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreadCpuLoadsTest {
    private static final long SECOND = 1_000_000_000;

    @TempDir
    private Path root;

    @Test
    void sharesAreOfTheTimeSinceTheLastLook() throws IOException {
        times(10, 5 * SECOND, SECOND);
        ThreadCpuLoads loads = new ThreadCpuLoads(new Proc(root), 10, 0);
        times(10, 6 * SECOND, SECOND + SECOND / 2);
        times(11, SECOND, 0); // has begun meanwhile

        assertThat(loads.look(2 * SECOND)).containsExactlyInAnyOrder(new Load(10, 0.5, 0.25), new Load(11, 0.5, 0));
        assertThat(loads.look(3 * SECOND)).containsExactlyInAnyOrder(new Load(10, 0, 0), new Load(11, 0, 0));
    }

    @Test
    void noShareIsMoreThanAll() throws IOException {
        times(10, 0, 0);
        ThreadCpuLoads loads = new ThreadCpuLoads(new Proc(root), 10, 0);
        times(10, 3 * SECOND, 0);

        assertThat(loads.look(2 * SECOND)).containsExactly(new Load(10, 1, 0));
    }

    @Test
    void aProcessThatHasGoneHasNoThreads() {
        assertThat(new ThreadCpuLoads(new Proc(root), 10, 0).look(SECOND)).isEmpty();
    }

    private void times(int tid, long ran, long ready) throws IOException {
        Path folder = Files.createDirectories(root.resolve("10").resolve("task").resolve(Integer.toString(tid)));
        Files.writeString(folder.resolve("schedstat"), ran + " " + ready + " 1\n");
    }
}
