package dev.unjank.trace.read.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.fixture.jfr.JfrChunkWriter;
import dev.unjank.fixture.jfr.JfrTestRecordings;
import dev.unjank.scene.SystraceWriter;
import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.write.PrevState;
import dev.unjank.trace.write.Task;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A JFR recording merged with a trace of its system: the recording contains the owners of monitors, the trace the
 * CPUs. In the recording main (101) waits for worker (102) from 1 to 41 ms.
 */
class MergedRecordingTest {
    private static final long MS = 1_000_000;

    /** The boot clock at the start of the recording. */
    private static final long BOOT = 5_000_000 * MS;

    private static final Task WORKER = new Task(102, "worker", 125);

    @TempDir
    private Path dir;

    private Path recording() throws IOException {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        JfrTestRecordings.information(chunk).checkpoint();
        JfrTestRecordings.sample(chunk, JfrTestRecordings.WORKER, 500);
        JfrTestRecordings.enter(chunk, JfrTestRecordings.MAIN, 1_000, 40_000, JfrTestRecordings.WORKER, 0x10)
                .metadata();
        return Files.write(dir.resolve("app.jfr"), chunk.toByteArray());
    }

    /** The worker runs from 2 to 30 ms after the start of the recording. */
    private Path perfetto(long boot, boolean withWallClock) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            if (withWallClock) {
                writer.clockSnapshot(boot, boot - 1_000 * MS, JfrTestRecordings.START_NS + boot - BOOT);
            }
            writer.processTree(
                    boot,
                    List.of(new TraceWriter.ProcessEntry(JfrTestRecordings.PID, 1, "java")),
                    List.of(new TraceWriter.ThreadEntry(102, JfrTestRecordings.PID, "worker")));
            writer.cpu(3).schedSwitch(boot + 2 * MS, Task.idle(3), PrevState.RUNNABLE, WORKER);
            writer.cpu(3).schedSwitch(boot + 30 * MS, WORKER, PrevState.SLEEPING, Task.idle(3));
            writer.cpu(3).schedSwitch(boot + 50 * MS, Task.idle(3), PrevState.RUNNABLE, WORKER);
        }
        return Files.write(dir.resolve("system.pftrace"), bytes.toByteArray());
    }

    private Path systrace() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        SystraceWriter writer = new SystraceWriter(bytes);
        writer.clockSync(BOOT, 0, 9, BOOT, JfrTestRecordings.START_NS / MS);
        writer.schedSwitch(BOOT + 2 * MS, 3, Task.idle(3), "R", WORKER);
        writer.schedSwitch(BOOT + 30 * MS, 3, WORKER, "S", Task.idle(3));
        writer.schedSwitch(BOOT + 50 * MS, 3, Task.idle(3), "R", WORKER);
        return Files.write(dir.resolve("system.txt"), bytes.toByteArray());
    }

    private static Trace read(Path... files) throws IOException {
        Trace trace = TraceReader.read(List.of(files));
        TraceInvariants.check(trace);
        return trace;
    }

    private static void assertUnited(Trace trace) {
        int worker = trace.threads().find(102, BOOT + 10 * MS);
        assertThat(worker).isNotNegative();
        assertThat(IntStream.range(0, trace.threads().size())
                        .filter(utid -> trace.threads().tid(utid) == 102))
                .as("threads of that number")
                .hasSize(1);
        int upid = trace.threads().upid(worker);
        assertThat(trace.processes().pid(upid)).isEqualTo(JfrTestRecordings.PID);
        assertThat(trace.processes().isJvm(upid)).isTrue();
        int main = trace.threads().find(101, BOOT + 10 * MS);
        assertThat(trace.threads().upid(main)).isEqualTo(upid);
        Slices slices = trace.slices();
        assertThat(slices.name(slices.first(main))).startsWith("monitor contention with owner worker (102)");
        assertThat(slices.ts(slices.first(main))).isEqualTo(BOOT + MS);
        assertThat(slices.dur(slices.first(main))).isEqualTo(40 * MS);
        ThreadStates states = trace.threadStates();
        int row = states.at(worker, BOOT + 10 * MS);
        assertThat(states.state(row)).isEqualTo(SchedState.RUNNING);
        assertThat(states.cpu(row)).isEqualTo(3);
        assertThat(states.priority(row)).isEqualTo(125);
        assertThat(states.endNs(row)).isEqualTo(BOOT + 30 * MS);
        assertThat(trace.warnings())
                .anyMatch(line -> line.contains("app.jfr was merged with")
                        && line.endsWith("by the wall clock, which is accurate to some ms only"));
    }

    @Test
    void beforeOrBehindASystemsTrace() throws IOException {
        assertUnited(read(perfetto(BOOT, true), recording()));
        Trace swapped = read(recording(), perfetto(BOOT, true));
        assertUnited(swapped);
        assertThat(swapped.name()).isEqualTo("app.jfr + system.pftrace");
    }

    @Test
    void besideSystrace() throws IOException {
        assertUnited(read(systrace(), recording()));
    }

    @Test
    void withoutTheWallClockTheyAreNotMerged() throws IOException {
        assertRefused(perfetto(BOOT, false), recording(), "app.jfr: shares no clock with");
    }

    @Test
    void recordingsDaysApartAreRejected() throws IOException {
        assertRefused(
                perfetto(BOOT + 500_000_000 * MS, true),
                recording(),
                "system.pftrace begins 5 days after ",
                "they are unrelated; diagnose them separately");
    }

    @Test
    void aRecordingBeforeTheBootIsRejected() throws IOException {
        JfrChunkWriter chunk =
                JfrTestRecordings.chunk(JfrTestRecordings.START_NS - BOOT - 10 * MS, JfrTestRecordings.START_TICKS);
        JfrTestRecordings.enter(chunk, JfrTestRecordings.MAIN, 1_000, 40_000, JfrTestRecordings.WORKER, 0x10);
        Path early = Files.write(
                dir.resolve("app.jfr"), chunk.checkpoint().metadata().toByteArray());
        Path soon = perfetto(40 * MS, true);
        assertRefused(soon, early, "app.jfr: recorded before the clock of ", "started");
    }

    private static void assertRefused(Path one, Path other, String... says) {
        assertThatThrownBy(() -> read(one, other))
                .isInstanceOf(UnusableTraceException.class)
                .message()
                .contains(says)
                .hasLineCount(1);
    }
}
