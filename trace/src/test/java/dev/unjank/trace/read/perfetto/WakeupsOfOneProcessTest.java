package dev.unjank.trace.read.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
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
    private static final int PROCESS = 10;

    @TempDir
    private Path folder;

    /** Thread 10 sleeps three times; its second wakeup is missing. */
    private Trace trace(int processWithWakeups) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Task sleeper = new Task(PROCESS, "sleeper", 120);
        try (TraceWriter writer = new TraceWriter(out, WireFormat.PLAIN)) {
            describe(writer, processWithWakeups);
            writer.processTree(
                    1,
                    List.of(new TraceWriter.ProcessEntry(PROCESS, 1, "p")),
                    List.of(new TraceWriter.ThreadEntry(PROCESS, PROCESS, "sleeper")));
            writer.cpu(1).schedSwitch(50, IDLE, 0, WAKER);
            FtraceCpuWriter cpu = writer.cpu(0);
            cpu.schedSwitch(100, IDLE, 0, sleeper);
            for (long at : List.of(1_000_000L, 2_000_000L, 3_000_000L)) {
                cpu.schedSwitch(at, sleeper, 1, IDLE);
                if (at != 2_000_000) {
                    writer.cpu(1).schedWaking(at + 500_000, WAKER.tid(), sleeper, 0, 0);
                }
                cpu.schedSwitch(at + 600_000, IDLE, 0, sleeper);
            }
        }
        return TraceReader.read(Files.write(folder.resolve("trace"), out.toByteArray()));
    }

    private static void describe(TraceWriter writer, int processWithWakeups) throws IOException {
        if (processWithWakeups > 0) {
            writer.trackEvents(TraceClock.BOOTTIME, 1)
                    .tracks()
                    .process(1, processWithWakeups, "recorded", TrackWriter.WAKEUPS);
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
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Task other = new Task(30, "other", 120);
        try (TraceWriter writer = new TraceWriter(out, WireFormat.PLAIN)) {
            describe(writer, processWithWakeups);
            FtraceCpuWriter cpu = writer.cpu(0);
            cpu.schedSwitch(100, other, 1, WAKER);
            cpu.schedSwitch(500, other, 1, IDLE);
            cpu.schedSwitch(900, IDLE, 0, WAKER);
        }
        Trace trace = TraceReader.read(Files.write(folder.resolve("trace"), out.toByteArray()));
        assertThat(trace.dataLosses()).hasSize(losses);
        assertThat(doubtful(trace, other.tid())).containsExactly(100L);
        assertThat(doubtful(trace, WAKER.tid())).containsExactly(100L);
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
