package dev.unjank.record.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.record.linux.Libc;
import dev.unjank.record.linux.Proc;
import dev.unjank.record.session.EmptySource;
import dev.unjank.record.session.Recording;
import dev.unjank.record.session.Rotation;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.write.TrackWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole source over a folder in the kernel's place: no root and no tracing are needed. */
class KernelSourceTest {
    private static final int TARGET = 500;
    private static final int OTHER = 600;

    @TempDir
    private Path folder;

    private FakeTraceFs fs;
    private Proc proc;

    @BeforeEach
    void kernel() throws IOException {
        assumeTrue(Libc.isAvailable(), "reads the buffers through the C library");
        fs = new FakeTraceFs(Files.createDirectories(folder.resolve("tracing")));
        Path processes = Files.createDirectories(folder.resolve("proc"));
        process(processes, TARGET, "target");
        process(processes, OTHER, "other");
        Path self = Files.createDirectories(processes.resolve("self"));
        Files.writeString(self.resolve("status"), "Name:\tjava\nNSpid:\t1\n");
        proc = new Proc(processes);
    }

    private static void process(Path processes, int pid, String name) throws IOException {
        Path process = Files.createDirectories(processes.resolve(Integer.toString(pid)));
        String status = "Name:\t" + name + "\nTgid:\t" + pid + "\nPPid:\t1\nUid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\n";
        Files.writeString(process.resolve("status"), status);
        Files.writeString(process.resolve("cmdline"), "/usr/bin/" + name + "\0");
        Path task = Files.createDirectories(process.resolve("task").resolve(Integer.toString(pid)));
        Files.writeString(task.resolve("comm"), name + "\n");
        Files.writeString(task.resolve("status"), status);
    }

    private Trace recorded() throws IOException {
        Path file = folder.resolve("trace");
        try (Recording recording = Recording.start(
                file, Rotation.NONE, TARGET, List.of(new KernelSource(TARGET, false, false, proc, fs)))) {
            assertThat(recording.availability()).allMatch(SourceAvailability::isOn);
        }
        return TraceReader.read(file);
    }

    /** A moment that the recordings of these tests hold: what was before they began is left out. */
    private static long later() {
        return System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    }

    private static List<String> states(Trace trace, int tid) {
        ThreadStates states = trace.threadStates();
        List<String> found = new ArrayList<>();
        for (int utid = 0; utid < trace.threads().size(); utid++) {
            for (int row = states.first(utid);
                    row < states.end(utid) && trace.threads().tid(utid) == tid;
                    row++) {
                found.add(states.state(row) + " cpu " + states.cpu(row) + " prio " + states.priority(row));
            }
        }
        return found;
    }

    @Test
    void whatTheBuffersHoldIsInTheTraceWithItsNames() throws IOException {
        long now = later();
        fs.page(
                0,
                new RingBufferPageBuilder(now)
                        .event(
                                now + 500,
                                RingBufferPageBuilder.schedSwitch(OTHER, 120, 1, 0, 120)) // the first one only begins
                        .event(now + 1_000, RingBufferPageBuilder.schedSwitch(0, 120, 0, TARGET, 110))
                        .event(now + 5_000, RingBufferPageBuilder.schedSwitch(TARGET, 110, 1, OTHER, 120))
                        .build());
        fs.page(
                0,
                new RingBufferPageBuilder(now + 6_000)
                        .event(now + 9_000, RingBufferPageBuilder.schedSwitch(OTHER, 120, 2, 0, 120))
                        .build());
        fs.page(
                1,
                new RingBufferPageBuilder(now)
                        .event(now + 600, RingBufferPageBuilder.schedSwitch(OTHER, 120, 1, 0, 120))
                        .event(now + 7_000, RingBufferPageBuilder.schedSwitch(0, 120, 0, TARGET, 110))
                        .build());
        Trace trace = recorded();

        assertThat(states(trace, TARGET))
                .containsExactly("RUNNING cpu 0 prio 110", "SLEEPING cpu 0 prio 110", "RUNNING cpu 1 prio 110");
        assertThat(states(trace, OTHER)).containsExactly("RUNNING cpu 0 prio 120", "UNINTERRUPTIBLE cpu 0 prio 120");
        int upid = trace.threads().upid(trace.threads().find(TARGET, trace.endNs()));
        assertThat(trace.processes().name(upid)).isEqualTo("/usr/bin/target");
        assertThat(trace.warnings()).isEmpty();
    }

    /** The reader must not take missing wakeups of other processes' threads for lost ones. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theTraceSaysThatItHasOnlyTheTargetsWakeups(boolean isWholeSystem) throws IOException {
        Path file = folder.resolve("trace");
        KernelSource source = new KernelSource(TARGET, isWholeSystem, false, proc, fs);
        try (Recording recording = Recording.start(file, Rotation.NONE, TARGET, List.of(source))) {
            assertThat(recording.availability()).allMatch(SourceAvailability::isOn);
        }
        assertThat(Files.readString(file, StandardCharsets.ISO_8859_1).contains(TrackWriter.WAKEUPS))
                .isNotEqualTo(isWholeSystem);
    }

    /** Tracing is on a moment before the recording begins, and all sources before they learn when that was. */
    @Test
    void whatTheBuffersHoldOfTheTimeBeforeIsLeftOut() throws IOException {
        long before = System.nanoTime();
        long now = later();
        fs.page(
                0,
                new RingBufferPageBuilder(before)
                        .event(before + 1, RingBufferPageBuilder.schedSwitch(OTHER, 120, 1, 0, 120))
                        .event(before + 2, RingBufferPageBuilder.schedSwitch(0, 120, 0, TARGET, 110))
                        .event(before + 3, RingBufferPageBuilder.schedSwitch(TARGET, 110, 1, 0, 120))
                        .build());
        fs.page(
                0,
                new RingBufferPageBuilder(now)
                        .event(now + 500, RingBufferPageBuilder.schedSwitch(OTHER, 120, 1, 0, 120))
                        .event(now + 1_000, RingBufferPageBuilder.schedSwitch(0, 120, 0, TARGET, 110))
                        .event(now + 5_000, RingBufferPageBuilder.schedSwitch(TARGET, 110, 2, 0, 120))
                        .build());

        assertThat(states(recorded(), TARGET))
                .containsExactly("RUNNING cpu 0 prio 110", "UNINTERRUPTIBLE cpu 0 prio 110");
    }

    @Test
    void theInstanceIsSetUpAndRemoved() throws IOException {
        recorded();

        assertThat(fs.settings)
                .contains("trace_clock=mono", "tracing_on=0", "events/sched/sched_switch/enable=1")
                .anyMatch(setting -> setting.matches("buffer_size_kb=[1-9][0-9]*"));
        try (Stream<Path> left = Files.list(fs.root.resolve("instances"))) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void overwrittenEventsAreCounted() throws IOException {
        long now = later();
        fs.overrun(17);
        fs.page(
                0,
                new RingBufferPageBuilder(now)
                        .event(now + 1_000, RingBufferPageBuilder.schedSwitch(0, 120, 0, TARGET, 110))
                        .build(1 << 31, 0));
        KernelSource source = new KernelSource(TARGET, false, false, proc, fs);
        Path file = folder.resolve("lossy");
        try (Recording recording = Recording.start(file, Rotation.NONE, TARGET, List.of(source))) {
            assertThat(recording.availability()).allMatch(SourceAvailability::isOn);
        }

        assertThat(source.lost()).isEqualTo(17);
        assertThat(TraceReader.read(file).warnings()).isNotEmpty();
    }

    @Test
    void whenKernelTracingEndsTheTraceSaysSoAndTheRecordingGoesOn() throws IOException {
        KernelSource source = new KernelSource(TARGET, false, false, proc, fs);
        Path file = folder.resolve("revoked");
        try (Recording recording = Recording.start(file, Rotation.NONE, TARGET, List.of(source))) {
            try (Stream<Path> instances = Files.list(fs.root.resolve("instances"))) {
                Files.delete(instances.findFirst().orElseThrow().resolve("per_cpu/cpu0/stats"));
            }
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (recording.availability().getFirst().isOn() && System.nanoTime() - end < 0) {
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(recording.availability()).singleElement().satisfies(kernel -> {
                assertThat(kernel.state()).isEqualTo(SourceAvailability.State.ENDED);
                assertThat(kernel.toString())
                        .startsWith("off  kernel scheduling ended: ")
                        .contains("stats");
            });
            assertThat(source.settledUntil()).isEqualTo(Long.MAX_VALUE);
            assertThat(recording.failure()).isNull();
        }

        Trace trace = TraceReader.read(file);
        List<String> said = new ArrayList<>();
        for (int row = 0; row < trace.slices().size(); row++) {
            if (trace.slices().name(row).equals("source: kernel scheduling")) {
                said.add(trace.args().text(trace.args().first(row)));
            }
        }
        assertThat(said).containsExactly("on", "ended");
        try (Stream<Path> left = Files.list(fs.root.resolve("instances"))) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void tracingThatAnotherProcessTurnsOffIsReported() throws IOException {
        KernelSource source = new KernelSource(TARGET, false, false, proc, fs);
        try (Recording recording = Recording.start(folder.resolve("off"), Rotation.NONE, TARGET, List.of(source))) {
            try (Stream<Path> instances = Files.list(fs.root.resolve("instances"))) {
                Files.writeString(instances.findFirst().orElseThrow().resolve("tracing_on"), "0");
            }
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (recording.availability().getFirst().isOn() && System.nanoTime() - end < 0) {
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(recording.availability().getFirst())
                    .hasToString("off  kernel scheduling ended: another process has turned tracing off");
        }
    }

    @Test
    void tracingThatTheRecordingTurnsOffIsNotReported() throws IOException {
        KernelSource source = new KernelSource(TARGET, false, false, proc, fs);
        Recording recording =
                Recording.start(folder.resolve("ends"), Rotation.NONE, TARGET, List.of(new EndsSlowly(), source));
        recording.close();

        assertThat(recording.availability()).allMatch(SourceAvailability::isOn);
    }

    /** Takes so long to end, after the kernel's tracing has, that this is looked at once more. */
    private static final class EndsSlowly extends EmptySource {
        EndsSlowly() {
            super("slow");
        }

        @Override
        public void end() {
            long end = System.nanoTime() + 700_000_000;
            while (System.nanoTime() - end < 0) {
                LockSupport.parkNanos(10_000_000);
            }
        }
    }

    @Test
    void whatThisKernelDoesNotHaveIsNamed() {
        assertThat(new KernelSource(TARGET, false, false, proc, fs).probe().toString())
                .startsWith(
                        "on   kernel scheduling: process 500 and the threads that preempted it; events missing in this kernel: ")
                .contains("sched_waking", "task_newtask")
                .doesNotContain("sched_switch");
    }

    @Test
    void rootGetsAnotherRemedy() {
        assertThat(KernelSource.remedy(true)).doesNotContain("root").contains("--privileged");
        assertThat(KernelSource.remedy(false)).startsWith("run it as root (with sudo)");
    }
}
