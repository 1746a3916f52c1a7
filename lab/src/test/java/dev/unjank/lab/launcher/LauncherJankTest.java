package dev.unjank.lab.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.lab.QuickRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LauncherJankTest {

    @TempDir
    static Path folder;

    private static QuickRun run;

    @BeforeAll
    static void experiment() throws IOException {
        run = QuickRun.of("launcher-jank", folder);
    }

    @Test
    void theTableHasBothQueuesAndWhatIsPublished() {
        assertThat(run.row("frames missed")).as(run.output()).hasSize(4).last().isEqualTo("4 % apps, 7.7 % launcher");
        assertThat(run.row("start to first frame, p95 of 5")).as(run.output()).hasSize(4);
        assertThat(run.row("longest wait for a lock")).as(run.output()).hasSize(4);
    }

    @Test
    void theLockFreeQueueKeepsNobodyWaiting() {
        assertThat(run.row("UI thread waiting for a lock").get(1))
                .as(run.output())
                .isEqualTo("0.0 ms");
        assertThat(run.row("priority inversions").get(1)).as(run.output()).isIn("0", "not known");
    }

    @Test
    void theMonitorQueueInvertsPriorities() throws IOException {
        run.assumeScheduling();

        assertThat(Integer.parseInt(run.row("priority inversions").getFirst()))
                .as(run.output())
                .isPositive();
        String json = run.text("monitor.json");
        List<String> inversion = json.lines()
                .dropWhile(line -> !line.contains("\"PRIORITY_INVERSION\""))
                .toList();
        assertThat(inversion).as("lines from the first inversion on").isNotEmpty();
        assertThat(json).contains("executor-").contains("camera-");
    }

    @Test
    void tracesAndPagesAreKept() throws IOException {
        for (String queue : List.of("monitor", "lock-free")) {
            assertThat(run.trace(queue).slices().size()).as(queue).isPositive();
            assertThat(run.text(queue + ".html")).as(queue).contains("<html");
        }
    }
}
