package dev.unjank.record.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.record.linux.Libc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreadFilterTest {
    private static final String EVENT = "sched/sched_switch";

    @TempDir
    private Path folder;

    private final TracedThreads watched = new TracedThreads(10, false);
    private FakeTraceFs fs;
    private TraceInstance instance;
    private ThreadFilter filter;

    @BeforeEach
    void kernel() throws IOException {
        assumeTrue(Libc.isAvailable(), "an instance is closed through the C library");
        fs = new FakeTraceFs(folder);
        instance = TraceInstance.create(fs, 1 << 20);
        filter = new ThreadFilter(instance, watched, List.of(EVENT));
    }

    @AfterEach
    void close() throws IOException {
        instance.close();
    }

    private String filter() throws IOException {
        filter.update();
        try (var instances = Files.list(folder.resolve("instances"))) {
            Path file = instances.findFirst().orElseThrow().resolve("events/" + EVENT + "/filter");
            return Files.exists(file) ? Files.readString(file) : "nothing";
        }
    }

    @Test
    void theFilterFollowsTheTargetsThreads() throws IOException {
        watched.named(10, 10);
        watched.named(77, 7);
        watched.created(10, 11, true);
        assertThat(filter()).isEqualTo("common_pid == 10 || common_pid == 11");
        watched.created(10, 12, false);
        watched.exited(10);
        assertThat(filter()).isEqualTo("common_pid == 11");
    }

    @Test
    void tooManyThreadsAreNotFiltered() throws IOException {
        watched.named(10, 10);
        assertThat(filter()).isEqualTo("common_pid == 10");
        for (int tid = 1_000; tid < 1_400; tid++) {
            watched.named(tid, 10);
        }
        assertThat(filter()).isEqualTo("0");
    }

    @Test
    void anUnchangedFilterIsNotWrittenAgain() throws IOException {
        watched.named(10, 10);
        assertThat(filter()).isEqualTo("common_pid == 10");
        try (var instances = Files.list(folder.resolve("instances"))) {
            Files.delete(instances.findFirst().orElseThrow().resolve("events/" + EVENT + "/filter"));
        }
        watched.named(10, 10);
        assertThat(filter()).isEqualTo("nothing");
    }
}
