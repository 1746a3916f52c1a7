package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.record.hotspot.CriticalDowncallSource;
import dev.unjank.record.jvm.RecordedTarget.Slice;
import dev.unjank.record.kernel.JniCriticalSource;
import dev.unjank.record.kernel.RegisteredUprobes;
import dev.unjank.record.linux.Proc;
import dev.unjank.record.session.Recording;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.Rotation;
import dev.unjank.record.session.SourceAvailability;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A thread inside a JNI critical section delays a collection, and with it allocating threads; one inside a critical
 * call of the foreign function API keeps everybody.
 */
class CriticalSectionTest {
    @TempDir
    Path directory;

    @Test
    void whoIsInsideIsToBlameForTheWaitOfWhoAllocates() throws IOException {
        try (JvmTargetProcess target =
                JvmTargetProcess.start("-XX:+EnableDynamicAgentLoading", "-XX:+UseSerialGC", "-Xmx96m")) {
            TargetJvm recorded = new TargetJvm(target.pid());
            JniCriticalSource critical = new JniCriticalSource(target.pid());
            SourceAvailability availability = critical.probe();
            assumeTrue(availability.isOn(), () -> "needs root and uprobes: " + availability);
            List<RecordingSource> sources =
                    new ArrayList<>(recorded.sources(Duration.ofMillis(1), Duration.ofSeconds(10)));
            sources.add(critical);
            RecordedTarget trace =
                    RecordedTarget.of(target, directory.resolve("critical.pftrace"), sources, "critical");

            List<Slice> inside = trace.slices("packer", "JNI critical section");
            List<Slice> waits = trace.slices("allocator", "GC: Wait For Start Alloc");
            String seen = "inside " + inside + ", waits " + waits + ", incidents " + trace.incidents("allocator");
            Slice section = inside.stream()
                    .max(Comparator.comparingLong(Slice::durNs))
                    .orElseThrow(() -> new AssertionError(seen));
            assertThat(waits).as(seen).anySatisfy(wait -> {
                assertThat(wait.startNs()).isBetween(section.startNs() - ClockAlignmentTest.ERROR_NS, section.endNs());
                assertThat(wait.endNs()).isGreaterThan(section.endNs() - 1_000_000);
            });
            Incident longest = trace.incidents("allocator").stream()
                    .max(Comparator.comparingLong(
                            incident -> incident.rootWait().durNs()))
                    .orElseThrow(() -> new AssertionError(seen));
            assertThat(longest.verdict()).as(seen).isEqualTo(Verdict.GC_BLOCKED_BY_CRITICAL);
            assertThat(longest.responsibleThread())
                    .as(seen)
                    .isNotNull()
                    .extracting(ThreadRef::name)
                    .isEqualTo("packer");
        }
        assertThat(RegisteredUprobes.listed())
                .doesNotContain("unjank_" + ProcessHandle.current().pid());
    }

    /**
     * The target is stopped in the middle of the section, so that this lasts however long the recording takes to begin.
     */
    @Test
    void aSectionThatIsUnderWayWhenTheRecordingBeginsIsThereFromThenOn() throws Exception {
        try (JvmTargetProcess target = JvmTargetProcess.start("-XX:+UseSerialGC", "-Xmx96m")) {
            JniCriticalSource critical = new JniCriticalSource(target.pid());
            SourceAvailability availability = critical.probe();
            assumeTrue(availability.isOn(), () -> "needs root and uprobes: " + availability);
            target.begin("long critical");
            while (Proc.SYSTEM.tasks(target.pid()).stream()
                    .noneMatch(task -> task.comm().equals("packer") && isInside(target.pid(), task.tid()))) {
                Thread.onSpinWait();
            }
            target.signal("STOP");
            Path file = directory.resolve("open.pftrace");
            long begun;
            try (Recording _ = Recording.start(file, Rotation.NONE, target.pid(), List.of(critical))) {
                begun = System.nanoTime();
                target.signal("CONT");
                target.expect("done");
            }

            long after = begun;
            assertThat(RecordedTarget.read(file).slices())
                    .filteredOn(slice -> slice.name().equals("JNI critical section"))
                    .isNotEmpty() // one for each of the two arrays
                    .allSatisfy(slice -> assertThat(slice.startNs()).isLessThan(after))
                    .allSatisfy(slice -> assertThat(slice.endNs()).isGreaterThan(after));
        }
    }

    /** By what it has run: it is inside before it has run for so long, and for a second and more. */
    private static boolean isInside(int pid, int tid) {
        return Proc.SYSTEM.ranNs(pid, tid) > TimeUnit.MILLISECONDS.toNanos(200);
    }

    @Test
    void whoSleepsInACriticalCallIsToBlameForTheStandstill() throws IOException {
        try (JvmTargetProcess target = JvmTargetProcess.start(
                "-XX:+EnableDynamicAgentLoading", "-XX:+UseG1GC", "--enable-native-access=ALL-UNNAMED")) {
            TargetJvm recorded = new TargetJvm(target.pid());
            CriticalDowncallSource calls = new CriticalDowncallSource(target.pid());
            SourceAvailability availability = calls.probe();
            assumeTrue(availability.isOn(), () -> "needs root: " + availability);
            List<RecordingSource> sources =
                    new ArrayList<>(recorded.sources(Duration.ofMillis(1), Duration.ofSeconds(10)));
            sources.add(calls);
            RecordedTarget trace =
                    RecordedTarget.of(target, directory.resolve("call.pftrace"), sources, "critical call");

            List<Slice> inside = trace.slices("scanner", "critical native call");
            List<Incident> stops = trace.diagnosis().incidents().stream()
                    .filter(incident -> incident.rootWait().isProcessPause())
                    .toList();
            String seen = "inside " + inside + ", stops " + stops;
            assertThat(inside).as(seen).anySatisfy(call -> {
                assertThat(call.durNs()).isGreaterThan(JvmTargetProgram.HOLD_MS * 500_000L);
                assertThat(call.name())
                        .isEqualTo("critical native call from " + MemoryScenes.class.getName() + ".scan");
            });
            assertThat(stops).as(seen).anySatisfy(stop -> {
                assertThat(stop.verdict()).isEqualTo(Verdict.SAFEPOINT_BLOCKED);
                assertThat(stop.responsibleThread())
                        .isNotNull()
                        .extracting(ThreadRef::name)
                        .isEqualTo("scanner");
            });
        }
    }

    @Test
    void whatAKilledRecorderLeftOfItsProbesTheNextOneRemoves() throws Exception {
        try (JvmTargetProcess target = JvmTargetProcess.start()) {
            SourceAvailability availability = new JniCriticalSource(target.pid()).probe();
            assumeTrue(availability.isOn(), () -> "needs root and uprobes: " + availability);
            String group;
            try (JvmTargetProcess recorder = JvmTargetProcess.of(
                    KilledRecorder.class,
                    List.of("--enable-native-access=ALL-UNNAMED"),
                    List.of(
                            Integer.toString(target.pid()),
                            directory.resolve("killed.pftrace").toString()))) {
                recorder.expect("recording");
                group = "unjank_" + recorder.pid() + "_";
                assertThat(RegisteredUprobes.listed()).contains(group);
                recorder.process().destroyForcibly().waitFor();
            }

            Recording.start(
                            directory.resolve("next.pftrace"),
                            Rotation.NONE,
                            target.pid(),
                            List.of(new JniCriticalSource(target.pid())))
                    .close();

            assertThat(RegisteredUprobes.listed()).doesNotContain(group);
        }
    }

    /** Records until it is killed. */
    static final class KilledRecorder {
        private KilledRecorder() {}

        public static void main(String[] args) throws IOException {
            int pid = Integer.parseInt(args[0]);
            try (Recording recording =
                    Recording.start(Path.of(args[1]), Rotation.NONE, pid, List.of(new JniCriticalSource(pid)))) {
                System.out.println("recording");
                while (recording.failure() == null) {
                    LockSupport.park();
                }
            }
        }
    }
}
