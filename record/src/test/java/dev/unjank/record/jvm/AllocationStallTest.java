package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.record.jvm.RecordedTarget.Slice;
import dev.unjank.record.kernel.KernelSource;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.SourceAvailability;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Threads that allocate faster than ZGC, which has only short pauses, frees memory. */
class AllocationStallTest {
    @TempDir
    Path directory;

    @Test
    void whoWaitsForMemoryWaitsForTheCollector() throws IOException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "attaching to a process needs Linux here");
        try (JvmTargetProcess target = JvmTargetProcess.start(
                "-XX:+EnableDynamicAgentLoading", "-XX:+UseZGC", "-XX:ConcGCThreads=1", "-Xmx48m")) {
            KernelSource kernel = new KernelSource(target.pid(), false, false);
            SourceAvailability availability = kernel.probe();
            assumeTrue(availability.isOn(), () -> "needs root and tracefs: " + availability);
            List<RecordingSource> sources = new ArrayList<>();
            sources.add(kernel); // who woke them is the collector
            sources.addAll(new TargetJvm(target.pid()).sources(Duration.ofMillis(1), Duration.ofSeconds(10)));
            RecordedTarget recorded = RecordedTarget.of(target, directory.resolve("stall"), sources, "hunger");

            List<Slice> stalls = recorded.slices().stream()
                    .filter(slice -> slice.thread().startsWith("hungry "))
                    .filter(slice -> slice.name().equals("GC: Wait For Completion Alloc"))
                    .toList();
            List<Incident> incidents = recorded.diagnosis().incidents().stream()
                    .filter(incident ->
                            String.valueOf(incident.rootWait().thread().name()).startsWith("hungry "))
                    .toList();
            assertThat(stalls)
                    .as("of %s slices, by name %s", recorded.slices().size(), byName(recorded))
                    .isNotEmpty();
            assertThat(incidents)
                    .as("stalls %s", stalls)
                    .anySatisfy(incident -> assertThat(incident.verdict()).isEqualTo(Verdict.GC_BLOCKED));
        }
    }

    private static Map<String, Long> byName(RecordedTarget recorded) {
        return recorded.slices().stream()
                .filter(slice -> slice.thread().startsWith("hungry "))
                .collect(Collectors.groupingBy(Slice::name, Collectors.counting()));
    }
}
