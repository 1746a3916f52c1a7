package dev.unjank.record.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.record.session.Recording;
import dev.unjank.record.session.Rotation;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real target and the real kernel. The target gets commands and confirms each, so a machine that stands still for
 * a while changes nothing.
 */
class KernelRecordingTest {
    private static final int SLEEPS = 6;

    @TempDir
    private Path folder;

    private TestProgramProcess target;
    private int pid;

    @BeforeEach
    void start() throws IOException {
        SourceAvailability kernel =
                new KernelSource((int) ProcessHandle.current().pid(), false, false).probe();
        assumeTrue(kernel.isOn(), () -> "needs root and tracefs: " + kernel);
        target = TestProgramProcess.start(SleeperProgram.class);
        pid = target.pid();
    }

    @AfterEach
    void stop() {
        if (target != null) {
            target.close();
        }
    }

    private Path file(String name) {
        return folder.resolve(name);
    }

    private Recording record(Path file, boolean futex) throws IOException {
        Recording recording = Recording.start(file, Rotation.NONE, pid, List.of(new KernelSource(pid, false, futex)));
        assertThat(recording.availability()).allMatch(SourceAvailability::isOn);
        return recording;
    }

    @Test
    void theSleepsOfAThreadAreThere() throws Exception {
        try (Recording recording = record(file("sleeps"), false)) {
            target.sleep(SLEEPS);
            assertThat(recording.progress().lost()).isZero();
        }

        Trace trace = TraceReader.read(file("sleeps"));

        assertThat(trace.warnings()).isEmpty();
        int sleeper = threadNamed(trace, SleeperProgram.SLEEPER);
        int upid = trace.threads().upid(sleeper);
        assertThat(trace.processes().pid(upid)).isEqualTo(pid);
        assertThat(trace.processes().name(upid)).isEqualTo(SleeperProgram.class.getName());
        assertThat(trace.processes().isJvm(upid)).isTrue();
        ThreadStates states = trace.threadStates();
        List<String> seen = new ArrayList<>();
        int sleeps = 0;
        for (int row = states.first(sleeper); row < states.end(sleeper); row++) {
            seen.add(states.state(row) + " " + states.dur(row) + (states.isOpen(row) ? " open" : ""));
            if (states.state(row) == SchedState.SLEEPING
                    && !states.isOpen(row)
                    && states.dur(row) > (SleeperProgram.SLEEP_MILLIS - 1) * 1_000_000) {
                sleeps++;
            }
            if (states.state(row) == SchedState.RUNNING) {
                assertThat(states.priority(row)).isEqualTo(120);
            }
        }
        assertThat(sleeps)
                .as("%s; %s states of all threads", seen, states.size())
                .isGreaterThanOrEqualTo(SLEEPS - 1); // the first may have begun as the recording did
    }

    @Test
    void nothingIsLeftBehindAndTwoRecordersDoNotDisturbEachOther() throws Exception {
        try (Recording first = record(file("first"), false)) {
            try (Recording _ = record(file("second"), false)) {
                assertThat(instances()).hasSize(2);
                target.sleep(SLEEPS);
            }
            assertThat(instances()).hasSize(1);
            target.sleep(SLEEPS);
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
            target.sleep(SLEEPS);
        }

        Trace trace = TraceReader.read(file("futex"));

        int sleeper = threadNamed(trace, SleeperProgram.SLEEPER);
        assertThat(trace.slices().end(sleeper) - trace.slices().first(sleeper)).isPositive();
    }

    @Test
    void aTargetThatEndsLeavesAWholeRecording() throws Exception {
        try (Recording _ = record(file("ends"), false)) {
            target.sleep(SLEEPS);
            target.end();
        }

        Trace trace = TraceReader.read(file("ends"));

        assertThat(trace.warnings()).isEmpty();
        assertThat(threadNamed(trace, SleeperProgram.SLEEPER)).isPositive();
    }

    @Test
    void aRecorderThatIsKilledLeavesAFileAndNoTracing() throws Exception {
        long killed;
        try (TestProgramProcess recorder = TestProgramProcess.start(
                RecorderProgram.class, Integer.toString(pid), file("killed").toString())) {
            killed = recorder.pid();
            long before = Files.size(file("killed"));
            for (int round = 0; round < 100 && Files.size(file("killed")) == before; round++) {
                target.sleep(SLEEPS); // until something of it is written
            }
            assertThat(instances(killed)).hasSize(1).allMatch(KernelRecordingTest::isTracing);
            recorder.kill();
        }

        Trace trace = TraceReader.read(file("killed"));
        assertThat(threadNamed(trace, SleeperProgram.SLEEPER)).isPositive();
        assertThat(instances(killed)).noneMatch(KernelRecordingTest::isTracing);

        try (Recording _ = record(file("next"), false)) {
            assertThat(instances(killed)).isEmpty();
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

    /** The instances of a recorder; others may record on this machine at the same time. */
    private static List<Path> instances(long recorder) throws IOException {
        Path folder = TraceFs.USUAL.resolve("instances");
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(path -> path.getFileName().toString().startsWith("unjank-" + recorder + "-"))
                    .toList();
        }
    }

    private static List<Path> instances() throws IOException {
        return instances(ProcessHandle.current().pid());
    }

    /** Whether an instance traces; one that another recorder has tidied away does not. */
    private static boolean isTracing(Path instance) {
        try {
            return !Files.readString(instance.resolve("tracing_on")).strip().equals("0");
        } catch (IOException e) {
            return false;
        }
    }
}
