package dev.unjank.record.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.record.session.Availability;
import dev.unjank.record.session.Recording;
import dev.unjank.record.session.Rotation;
import dev.unjank.trace.SchedState;
import dev.unjank.trace.ThreadStates;
import dev.unjank.trace.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real target and the real kernel. What is waited for is time that passes in the target, as a recording is of real time. */
class KernelRecordingTest {
    private static final long RECORDED_MILLIS = 700;

    @TempDir
    private Path folder;

    private Process target;
    private int pid;

    @BeforeEach
    void start() throws IOException {
        Availability kernel = new KernelSource((int) ProcessHandle.current().pid(), false, false).probe();
        assumeTrue(kernel.isOn(), () -> "needs root and tracefs: " + kernel);
        target = Targets.start(TargetProgram.class);
        pid = (int) target.pid();
    }

    @AfterEach
    void stop() {
        if (target != null) {
            target.destroyForcibly();
        }
    }

    private Path file(String name) {
        return folder.resolve(name);
    }

    private Recording record(Path file, boolean futex) throws IOException {
        Recording recording = Recording.start(file, Rotation.NONE, pid, List.of(new KernelSource(pid, false, futex)));
        assertThat(recording.availability()).allMatch(Availability::isOn);
        return recording;
    }

    @Test
    void theSleepsOfAThreadAreThere() throws Exception {
        try (Recording _ = record(file("sleeps"), false)) {
            Thread.sleep(RECORDED_MILLIS);
        }

        Trace trace = TraceReader.read(file("sleeps"));

        assertThat(trace.warnings()).isEmpty();
        int sleeper = threadNamed(trace, TargetProgram.SLEEPER);
        int upid = trace.threads().upid(sleeper);
        assertThat(trace.processes().pid(upid)).isEqualTo(pid);
        assertThat(trace.processes().name(upid)).isEqualTo(TargetProgram.class.getName());
        assertThat(trace.processes().isJvm(upid)).isTrue();
        ThreadStates states = trace.threadStates();
        int sleeps = 0;
        for (int row = states.first(sleeper); row < states.end(sleeper); row++) {
            if (states.state(row) == SchedState.SLEEPING && !states.isOpen(row)) {
                assertThat(states.dur(row)).isGreaterThan((TargetProgram.SLEEP_MILLIS - 1) * 1_000_000);
                sleeps++;
            }
            if (states.state(row) == SchedState.RUNNING) {
                assertThat(states.priority(row)).isEqualTo(120);
            }
        }
        assertThat(sleeps).isBetween(3, (int) (RECORDED_MILLIS / TargetProgram.SLEEP_MILLIS) + 5);
    }

    @Test
    void nothingIsLeftBehindAndTwoRecordersDoNotDisturbEachOther() throws Exception {
        try (Recording first = record(file("first"), false)) {
            try (Recording _ = record(file("second"), false)) {
                assertThat(instances()).hasSize(2);
                Thread.sleep(RECORDED_MILLIS / 2);
            }
            assertThat(instances()).hasSize(1);
            Thread.sleep(RECORDED_MILLIS / 2);
            assertThat(first.progress().lost()).isZero();
        }
        assertThat(instances()).isEmpty();

        Trace first = TraceReader.read(file("first"));
        Trace second = TraceReader.read(file("second"));
        assertThat(second.hasScheduling()).isTrue();
        assertThat(first.endNs() - first.startNs()).isGreaterThan(second.endNs() - second.startNs());
    }

    @Test
    void futexCallsAreThereOnDemand() throws Exception {
        try (Recording _ = record(file("futex"), true)) {
            Thread.sleep(RECORDED_MILLIS);
        }

        Trace trace = TraceReader.read(file("futex"));

        int sleeper = threadNamed(trace, TargetProgram.SLEEPER);
        assertThat(trace.slices().end(sleeper) - trace.slices().first(sleeper)).isPositive();
    }

    @Test
    void aTargetThatEndsLeavesAWholeRecording() throws Exception {
        try (Recording _ = record(file("ends"), false)) {
            Thread.sleep(RECORDED_MILLIS / 2);
            target.getOutputStream().close();
            assertThat(target.waitFor(10, TimeUnit.SECONDS)).isTrue();
        }

        Trace trace = TraceReader.read(file("ends"));

        assertThat(trace.warnings()).isEmpty();
        assertThat(threadNamed(trace, TargetProgram.SLEEPER)).isPositive();
    }

    @Test
    void aRecorderThatIsKilledLeavesAFileAndNoTracing() throws Exception {
        Process recorder = Targets.start(
                RecorderProgram.class, Integer.toString(pid), file("killed").toString());
        Thread.sleep(RECORDED_MILLIS);
        recorder.destroyForcibly();
        assertThat(recorder.waitFor(10, TimeUnit.SECONDS)).isTrue();

        Trace trace = TraceReader.read(file("killed"));
        assertThat(threadNamed(trace, TargetProgram.SLEEPER)).isPositive();
        assertThat(instances()).hasSize(1);
        assertThat(Files.readString(instances().getFirst().resolve("tracing_on"))
                        .strip())
                .isEqualTo("0");

        try (Recording _ = record(file("next"), false)) {
            assertThat(instances()).hasSize(1);
        }
        assertThat(instances()).isEmpty();
    }

    private static int threadNamed(Trace trace, String name) {
        for (int utid = 0; utid < trace.threads().size(); utid++) {
            if (name.equals(trace.threads().name(utid))) {
                return utid;
            }
        }
        return -1;
    }

    /** The instances of recorders, this one's and others' that run at the same time are told apart by their target only. */
    private static List<Path> instances() throws IOException {
        if (!Files.isDirectory(TraceFs.USUAL.resolve("instances"))) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(TraceFs.USUAL.resolve("instances"))) {
            return all.filter(path -> path.getFileName().toString().startsWith(TraceInstance.PREFIX))
                    .toList();
        }
    }
}
