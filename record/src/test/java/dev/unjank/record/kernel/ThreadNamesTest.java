package dev.unjank.record.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.record.linux.Proc;
import dev.unjank.record.session.RecordingFile;
import dev.unjank.record.session.Rotation;
import dev.unjank.record.session.TraceSink;
import dev.unjank.trace.model.Args;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How the target's threads are scheduled: other scheduling than the default is written, again after a change, and in
 * each kept part.
 */
class ThreadNamesTest {
    private static final int TARGET = 500;
    private static final int OTHER = 600;
    private static final int ANOTHER_USER = 12345;
    private static final long MILLISECOND = 1_000_000;

    @TempDir
    private Path folder;

    private final TracedThreads watched = new TracedThreads(TARGET, false);

    @BeforeEach
    void processes() throws IOException {
        scheduling(TARGET, 0, 0, 0);
        scheduling(OTHER, 0, 0, 0);
    }

    private void scheduling(int pid, int nice, int realTimePriority, int policy) throws IOException {
        process(pid, 0, nice, realTimePriority, policy);
    }

    private void process(int pid, int user, int nice, int realTimePriority, int policy) throws IOException {
        Path process = Files.createDirectories(folder.resolve("proc/" + pid));
        Path task = Files.createDirectories(process.resolve("task/" + pid));
        String status =
                "Name:\tp\nTgid:\t" + pid + "\nPPid:\t1\nUid:" + ("\t" + user).repeat(4) + "\nGid:\t0\t0\t0\t0\n";
        for (Path each : List.of(process, task)) {
            Files.writeString(each.resolve("status"), status);
            Files.writeString(each.resolve("comm"), "thread-" + pid + "\n");
        }
        Files.writeString(
                process.resolve("stat"),
                "%d (p) S%s %d%s %d %d 0\n"
                        .formatted(pid, " 0".repeat(15), nice, " 0".repeat(20), realTimePriority, policy));
    }

    private List<String> notes(Rotation rotation, Scene scene) throws IOException {
        Path file = folder.resolve("trace");
        try (RecordingFile trace = RecordingFile.open(file, rotation, TARGET)) {
            trace.begin(() -> 0);
            ThreadNames names = new ThreadNames(new Proc(folder.resolve("proc")), watched, trace);
            names.start(List.of(TARGET, OTHER), () -> false);
            scene.play(names, trace);
        }
        return notes(TraceReader.read(file));
    }

    private interface Scene {
        void play(ThreadNames names, RecordingFile trace) throws IOException;
    }

    private static List<String> notes(Trace trace) {
        List<String> found = new ArrayList<>();
        Slices slices = trace.slices();
        Args args = trace.args();
        for (int row = 0; row < slices.size(); row++) {
            if (slices.name(row).startsWith("scheduling of ")) {
                int first = args.first(row);
                found.add(slices.name(row) + ": " + args.value(first) + " " + args.text(first + 1) + " "
                        + args.value(first + 2) + " " + args.value(first + 3));
            }
        }
        return found;
    }

    /** A thread is seen to run. */
    private void runs(ThreadNames names, int tid, int priority) {
        watched.seen(tid, priority);
        names.update();
    }

    @Test
    void changesAreWritten() throws IOException {
        assertThat(notes(Rotation.NONE, (names, _) -> {
                    runs(names, TARGET, 120);
                    scheduling(TARGET, 0, 7, 2);
                    runs(names, TARGET, 92);
                    runs(names, TARGET, 92);
                    scheduling(TARGET, 0, 0, 0);
                    runs(names, TARGET, 120);
                }))
                .containsExactly(
                        "scheduling of thread-500: 500 SCHED_RR 0 7", "scheduling of thread-500: 500 SCHED_OTHER 0 0");
    }

    /** A priority that is lent is in the switches, and the policy stays what it was. */
    @Test
    void whatIsUsualOrLentOrOfOthersIsNot() throws IOException {
        assertThat(notes(Rotation.NONE, (names, _) -> {
                    runs(names, TARGET, 120);
                    runs(names, TARGET, 50);
                    runs(names, TARGET, 120);
                    scheduling(OTHER, 5, 0, 0);
                    runs(names, OTHER, 120);
                    runs(names, OTHER, 125);
                }))
                .isEmpty();
    }

    @Test
    void whatRunsForTheLastTimeAfterItsEndIsNotKept() throws IOException {
        int gone = 700;
        notes(Rotation.NONE, (names, _) -> {
            watched.created(TARGET, gone, true);
            watched.exited(gone);
            runs(names, gone, 120);

            watched.seen(gone, 120);
            watched.seen(TARGET, 120);
            assertThat(watched.takeUnnamed()).as("unknown thread").isEqualTo(gone);
            assertThat(watched.hasUnnamed()).isFalse();

            watched.created(TARGET, gone, true);
            names.update(); // it ends before it could be asked, and its end event has not been read
            assertThat(watched.processOf(gone)).isEqualTo(TARGET);
        });
    }

    /** A started program is a shell first, and then what the shell executes. */
    @Test
    void aProcessThatExecutesAnotherProgramHasItsLaterName() throws IOException {
        Path commandLine = folder.resolve("proc/" + TARGET + "/cmdline");
        Files.writeString(commandLine, "/bin/sh\0-c\0exec java");

        notes(Rotation.NONE, (names, _) -> {
            Files.writeString(commandLine, "/usr/bin/java\0-cp\0x.jar\0com.example.Shop\0");
            watched.renamed(TARGET);
            names.update();
        });

        Trace trace = TraceReader.read(folder.resolve("trace"));
        int upid = trace.threads().upid(trace.threads().find(TARGET, trace.endNs()));
        assertThat(trace.processes().name(upid)).isEqualTo("com.example.Shop");
        assertThat(trace.processes().isJvm(upid)).isTrue();
    }

    /** The names of processes, as the trace gets them; each look at the clock takes a time. */
    private final class NamedProcesses {
        private final List<String> written = new ArrayList<>();
        private long now;
        private long step;
        private final ThreadNames names = new ThreadNames(
                new Proc(folder.resolve("proc")),
                watched,
                (TraceSink) Proxy.newProxyInstance(
                        TraceSink.class.getClassLoader(), new Class<?>[] {TraceSink.class}, (_, method, arguments) -> {
                            if (method.getName().equals("process")) {
                                written.add(arguments[0] + " " + arguments[2]);
                            }
                            return null;
                        }),
                () -> now += step);

        void rename(int pid, String name) throws IOException {
            process(pid, pid == TARGET ? 0 : ANOTHER_USER, 0, 0, 0);
            Files.writeString(folder.resolve("proc/" + pid + "/cmdline"), name + "\0");
            watched.renamed(pid);
        }

        List<String> round() {
            written.clear();
            names.update();
            return List.copyOf(written);
        }
    }

    /** Each read of another user's command line takes a child process. */
    @Test
    void aProcessThatRenamesItselfAgainAndAgainIsReadOncePerSecond() throws IOException {
        NamedProcesses processes = new NamedProcesses();
        for (int i = 0; i < 4; i++) {
            processes.rename(OTHER, "name-" + i);
            assertThat(processes.round()).containsExactly(OTHER + " name-" + i);
        }
        for (int i = 4; i < 10; i++) {
            processes.rename(OTHER, "name-" + i);
            assertThat(processes.round()).isEmpty();
        }

        processes.now += 1_000_000_000;
        assertThat(processes.round()).containsExactly(OTHER + " name-9");
        for (int i = 0; i < 10; i++) {
            processes.rename(TARGET, "name-" + i);
            assertThat(processes.round()).as("the target").containsExactly(TARGET + " name-" + i);
        }
    }

    @Test
    void atTheEndOtherUsersCommandLinesAreNotRead() throws IOException {
        NamedProcesses processes = new NamedProcesses();
        processes.rename(OTHER, "named");
        assertThat(processes.round()).containsExactly(OTHER + " named");

        processes.rename(OTHER, "renamed");
        processes.rename(OTHER + 1, "new");
        processes.rename(TARGET, "target");
        processes.written.clear();
        processes.names.updateAtEnd();
        assertThat(processes.written).containsExactly(TARGET + " target", OTHER + 1 + " p");
    }

    @Test
    void aCrowdOfRenamedProcessesDoesNotKeepTheRecorderFromReadingEvents() throws IOException {
        NamedProcesses processes = new NamedProcesses();
        processes.step = 5_000_000;
        List<String> byKernel = new ArrayList<>();
        List<String> read = new ArrayList<>();
        for (int pid = 1_000; pid < 1_010; pid++) {
            processes.rename(pid, "name-" + pid);
            byKernel.add(pid + " p");
            read.add(pid + " name-" + pid);
        }

        List<String> first = processes.round();
        assertThat(first).as("those that are not read have the kernel's name").hasSize(10);
        assertThat(first.subList(0, 3)).isEqualTo(read.subList(0, 3));
        assertThat(first.subList(3, 10)).isEqualTo(byKernel.subList(3, 10));
        assertThat(processes.round()).isEqualTo(read.subList(3, 6));
        assertThat(processes.round()).isEqualTo(read.subList(6, 9));
        assertThat(processes.round()).isEqualTo(read.subList(9, 10));
        assertThat(processes.round()).isEmpty();
    }

    /** Each round takes a limited time on a clock that advances per lookup, and continues with the rest. */
    @Test
    void aCrowdOfNewProcessesDoesNotKeepTheRecorderFromReadingEvents() throws IOException {
        NamedProcesses processes = new NamedProcesses();
        processes.step = MILLISECOND;
        Set<String> named = new HashSet<>();
        for (int pid = 1_000; pid < 1_200; pid++) {
            processes.rename(pid, "name-" + pid);
        }
        processes.rename(TARGET, "target");
        for (int round = 0; round < 20; round++) {
            long begun = processes.now;
            List<String> written = processes.round();
            assertThat(processes.now - begun).isLessThanOrEqualTo(75 * MILLISECOND);
            if (round == 0) {
                assertThat(written).first().isEqualTo(TARGET + " target");
                assertThat(written).hasSizeBetween(20, 50);
            }
            named.addAll(written);
        }

        assertThat(named).hasSizeGreaterThan(200);
        for (int pid = 1_000; pid < 1_200; pid++) {
            assertThat(named).contains(pid + " name-" + pid);
        }
    }

    /** The rounds name the threads that the start has no time for. All of the target's are recorded at once. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCrowdDoesNotDelayTheStart(boolean isEnding) throws IOException {
        NamedProcesses processes = new NamedProcesses();
        processes.step = 5 * MILLISECOND;
        List<Integer> pids = new ArrayList<>(List.of(TARGET));
        for (int tid = 2_000; tid < 2_600; tid++) {
            Path task = Files.createDirectories(folder.resolve("proc/" + TARGET + "/task/" + tid));
            Files.writeString(task.resolve("comm"), "thread-" + tid + "\n");
        }
        for (int pid = 1_000; pid < 1_300; pid++) {
            process(pid, 0, 0, 0, 0);
            pids.add(pid);
        }

        long begun = processes.now;
        processes.names.start(pids, () -> isEnding);
        assertThat(processes.now - begun).isLessThanOrEqualTo(1_020 * MILLISECOND);
        assertThat(watched.threads()).hasSize(601);
        assertThat(processes.written).hasSizeLessThan(2);

        for (int round = 0; round < 1_000 && watched.hasUnnamed(); round++) {
            processes.names.update();
        }
        assertThat(processes.written).hasSize(301);
    }

    @Test
    void aCrowdDoesNotDelayTheEnd() throws IOException {
        NamedProcesses processes = new NamedProcesses();
        processes.step = MILLISECOND;
        for (int pid = 1_000; pid < 1_200; pid++) {
            processes.rename(pid, "name-" + pid);
        }
        processes.round();
        processes.rename(TARGET, "target");
        processes.written.clear();

        long begun = processes.now;
        processes.names.updateAtEnd();
        assertThat(processes.now - begun).isLessThanOrEqualTo(35 * MILLISECOND);
        assertThat(processes.written).contains(TARGET + " target").hasSizeBetween(10, 31);
    }

    @Test
    void theLastPartOfARingKnowsIt() throws IOException {
        scheduling(TARGET, -5, 0, 0);

        List<String> notes = notes(Rotation.ofBytes(Rotation.LEAST_BYTES), (_, trace) -> {
            for (int i = 0; i < 100_000; i++) {
                trace.slice(i * 1_000L, i * 1_000L + 500, TARGET, TARGET, "test", "slice");
            }
        });

        assertThat(notes).isNotEmpty().containsOnly("scheduling of thread-500: 500 SCHED_OTHER -5 0");
    }
}
