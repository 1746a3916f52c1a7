package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the observer must not do to its target. */
class AgentSafetyTest {
    @TempDir
    Path directory;

    @Test
    void aThreadAtTheEndOfItsStackMayBeginToWait() throws IOException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "attaching to a process needs Linux here");
        try (JvmTargetProcess target = JvmTargetProcess.start("-XX:+EnableDynamicAgentLoading")) {
            RecordedTarget recorded =
                    RecordedTarget.of(target, directory.resolve("deep"), Duration.ofSeconds(1), "deep", "blocked");

            assertThat(recorded.slices("ui (one)", "monitor contention with owner worker"))
                    .hasSize(1);
            assertThat(target.errors()).isEmpty();
        }
    }

    @Test
    void theTargetMayExitWhileItIsRecorded() throws IOException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "attaching to a process needs Linux here");
        try (JvmTargetProcess target = JvmTargetProcess.start("-XX:+EnableDynamicAgentLoading")) {
            RecordedTarget recorded =
                    RecordedTarget.of(target, directory.resolve("exit"), Duration.ofSeconds(30), "blocked", "exit");

            assertThat(recorded.slices("ui (one)", "monitor contention with owner worker"))
                    .hasSize(1);
        }
    }
}
