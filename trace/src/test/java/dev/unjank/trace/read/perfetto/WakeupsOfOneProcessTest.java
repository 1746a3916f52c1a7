package dev.unjank.trace.read.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.write.AtraceMarks;
import dev.unjank.trace.write.FtraceCpuWriter;
import dev.unjank.trace.write.Task;
import dev.unjank.trace.write.TraceClock;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.TrackWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A recording of one process has the wakeups of other processes' threads only in part: a missing one there is no loss.
 * It has all losses that the kernel counts: a single switch that the kernel omits concerns only the threads whose
 * states it contradicts.
 */
class WakeupsOfOneProcessTest {
    private static final Task IDLE = new Task(0, "swapper", 120);
    private static final Task WAKER = new Task(20, "waker", 120);
    private static final Task OTHER = new Task(30, "other", 120);
    private static final int PROCESS = 10;

    @TempDir
    private Path folder;

    private Trace trace(int processWithWakeups) throws IOException {
        return TraceReader.read(sleeps(0, processWithWakeups));
    }

    /** Thread 10 sleeps three times; its second wakeup is missing. */
    private Path sleeps(long from, int processWithWakeups) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Task sleeper = new Task(PROCESS, "sleeper", 120);
        try (TraceWriter writer = new TraceWriter(out, WireFormat.PLAIN)) {
            describe(writer, from, processWithWakeups);
            writer.processTree(
                    from + 1,
                    List.of(new TraceWriter.ProcessEntry(PROCESS, 1, "p")),
                    List.of(new TraceWriter.ThreadEntry(PROCESS, PROCESS, "sleeper")));
            writer.cpu(1).schedSwitch(from + 50, IDLE, 0, WAKER);
            FtraceCpuWriter cpu = writer.cpu(0);
            cpu.schedSwitch(from + 100, IDLE, 0, sleeper);
            for (long after : List.of(1_000_000L, 2_000_000L, 3_000_000L)) {
                long at = from + after;
                cpu.schedSwitch(at, sleeper, 1, IDLE);
                if (after != 2_000_000) {
                    writer.cpu(1).schedWaking(at + 500_000, WAKER.tid(), sleeper, 0, 0);
                }
                cpu.schedSwitch(at + 600_000, IDLE, 0, sleeper);
            }
            cpu.schedSwitch(from + 3_700_000, sleeper, 0, IDLE);
        }
        return file(from, out);
    }

    private Path file(long from, ByteArrayOutputStream out) throws IOException {
        return Files.write(folder.resolve("from " + from), out.toByteArray());
    }

    private static void describe(TraceWriter writer, long from, int processWithWakeups) throws IOException {
        if (processWithWakeups > 0) {
            writer.trackEvents(TraceClock.BOOTTIME, 1)
                    .tracks()
                    .process(from + 1, processWithWakeups, "recorded", TrackWriter.WAKEUPS);
        }
    }

    /** The times at which doubtful states of a thread begin. */
    private static List<Long> doubtful(Trace trace, int tid) {
        ThreadStates states = trace.threadStates();
        int utid = trace.threads().find(tid, trace.startNs());
        List<Long> found = new ArrayList<>();
        for (int row = states.first(utid); row < states.end(utid); row++) {
            if (states.isDoubtful(row)) {
                found.add(states.ts(row));
            }
        }
        return found;
    }

    /**
     * The switch from the waker to thread 30 is missing: both have a doubtful state, and the other threads of the CPU
     * have none.
     */
    @ParameterizedTest
    @CsvSource({"0, 1", "10, 0"})
    void aSwitchIsMissing(int processWithWakeups, int losses) throws IOException {
        Trace trace = TraceReader.read(missingSwitch(0, processWithWakeups));
        assertThat(trace.dataLosses()).hasSize(losses);
        assertThat(doubtful(trace, OTHER.tid())).containsExactly(100L);
        assertThat(doubtful(trace, WAKER.tid())).containsExactly(100L);
    }

    private Path missingSwitch(long from, int processWithWakeups) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(out, WireFormat.PLAIN)) {
            describe(writer, from, processWithWakeups);
            FtraceCpuWriter cpu = writer.cpu(0);
            cpu.schedSwitch(from, IDLE, 0, OTHER);
            cpu.schedSwitch(from + 100, OTHER, 1, WAKER);
            cpu.schedSwitch(from + 500, OTHER, 1, IDLE);
            cpu.schedSwitch(from + 900, IDLE, 0, WAKER);
            cpu.schedSwitch(from + 990, WAKER, 1, IDLE);
        }
        return file(from, out);
    }

    /** Of two merged files, each with a missing switch, those of a recorder of one process show no loss. */
    @ParameterizedTest
    @CsvSource({"0, 0, '100, 1000100'", "10, 0, 1000100", "0, 10, 100", "10, 10, ''", "10, 11, ''"})
    void aSwitchIsMissingInEachOfTwoFiles(int processOfFirst, int processOfSecond, String starts) throws IOException {
        Trace trace =
                TraceReader.read(List.of(missingSwitch(0, processOfFirst), missingSwitch(1_000_000, processOfSecond)));
        assertThat(trace.dataLosses().stream().map(loss -> Long.toString(loss.startNs())))
                .isEqualTo(starts.isEmpty() ? List.of() : List.of(starts.split(", ")));
    }

    /** The thread that the first file leaves on the CPU is not the one that the second file finds there. */
    @ParameterizedTest
    @CsvSource({"0, 1", "10, 0"})
    void theLastSwitchOfTheFirstFileIsMissing(int processOfFirst, int losses) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(out, WireFormat.PLAIN)) {
            describe(writer, 0, processOfFirst);
            writer.cpu(0).schedSwitch(100, IDLE, 0, OTHER);
        }
        Trace trace = TraceReader.read(List.of(file(0, out), sleeps(1_000_000, 0)));
        assertThat(trace.dataLosses()).hasSize(losses);
    }

    /** A file without switches, such as one of a program's own events, has none that could be missing. */
    @Test
    void aFileWithoutSwitchesIsMerged() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(out, WireFormat.PLAIN)) {
            writer.cpu(0).print(1, PROCESS, AtraceMarks.begin(PROCESS, "a"));
            writer.cpu(0).print(4_000_000, PROCESS, AtraceMarks.end(PROCESS));
        }
        Trace trace = TraceReader.read(List.of(file(1, out), missingSwitch(0, PROCESS)));
        assertThat(trace.dataLosses()).isEmpty();
    }

    /** Of two merged files, each with a missing wakeup, that of a recorder of another process shows no loss. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, '2000000, 12000000'",
        "11, 0, 12000000",
        "0, 11, 2000000",
        "11, 11, ''",
        "10, 11, 2000000",
        "11, 10, 12000000"
    })
    void aWakeupIsMissingInEachOfTwoFiles(int processOfFirst, int processOfSecond, String starts) throws IOException {
        Trace trace = TraceReader.read(List.of(sleeps(0, processOfFirst), sleeps(10_000_000, processOfSecond)));
        assertThat(doubtful(trace, PROCESS).stream().map(at -> Long.toString(at)))
                .isEqualTo(starts.isEmpty() ? List.of() : List.of(starts.split(", ")));
    }

    @Test
    void allWakeupsAreRecorded() throws IOException {
        assertThat(doubtful(trace(0), PROCESS)).containsExactly(2_000_000L);
    }

    @Test
    void anotherProcessWasRecorded() throws IOException {
        assertThat(doubtful(trace(PROCESS + 1), PROCESS)).isEmpty();
    }

    /** A real loss in such a recording. */
    @Test
    void thisProcessWasRecorded() throws IOException {
        assertThat(doubtful(trace(PROCESS), PROCESS)).containsExactly(2_000_000L);
    }
}
