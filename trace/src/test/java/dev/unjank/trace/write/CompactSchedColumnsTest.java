package dev.unjank.trace.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The compact form omits the previous thread and the waker: it is used only if readers can infer them. */
class CompactSchedColumnsTest {
    private static final Task MAIN = new Task(1000, "main", 120);
    private static final Task WORKER = new Task(1001, "worker", 120);
    private static final Task OTHER = new Task(1002, "other", 120);

    @TempDir
    private Path dir;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private Trace read() throws IOException {
        Path file = dir.resolve("trace");
        Files.write(file, bytes.toByteArray());
        return TraceReader.read(file);
    }

    private static List<String> states(Trace trace, Task task) {
        ThreadStates states = trace.threadStates();
        List<String> found = new ArrayList<>();
        for (int utid = 0; utid < trace.threads().size(); utid++) {
            if (trace.threads().tid(utid) == task.tid()) {
                for (int row = states.first(utid); row < states.end(utid); row++) {
                    found.add(states.ts(row) + " " + states.state(row));
                }
            }
        }
        return found;
    }

    @Test
    void aLostSwitchIsNotWrittenInCompactForm() throws IOException {
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.COMPACT)) {
            FtraceCpuWriter cpu = writer.cpu(0);
            cpu.schedSwitch(50, Task.idle(0), PrevState.RUNNABLE, OTHER);
            cpu.schedSwitch(100, OTHER, PrevState.SLEEPING, MAIN);
            cpu.schedSwitch(
                    200, WORKER, PrevState.SLEEPING, OTHER); // the switches from main and to worker were not recorded
            cpu.schedSwitch(300, OTHER, PrevState.UNINTERRUPTIBLE, WORKER);
        }
        Trace trace = read();

        assertThat(states(trace, MAIN)).containsExactly("100 " + SchedState.RUNNING);
        assertThat(states(trace, WORKER)).containsExactly("200 " + SchedState.SLEEPING, "300 " + SchedState.RUNNING);
        assertThat(states(trace, OTHER))
                .containsExactly(
                        "100 " + SchedState.SLEEPING, "200 " + SchedState.RUNNING, "300 " + SchedState.UNINTERRUPTIBLE);
    }

    @Test
    void theFirstSwitchAfterALossIsComplete() throws IOException {
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.COMPACT)) {
            FtraceCpuWriter cpu = writer.cpu(0);
            cpu.schedSwitch(100, Task.idle(0), PrevState.RUNNABLE, MAIN);
            cpu.lostEvents();
            cpu.schedSwitch(200, OTHER, PrevState.SLEEPING, WORKER);
        }
        Trace trace = read();

        assertThat(states(trace, OTHER)).containsExactly("200 " + SchedState.SLEEPING);
    }

    @Test
    void anUnexpectedWakerIsWritten() throws IOException {
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.COMPACT)) {
            FtraceCpuWriter cpu = writer.cpu(0);
            cpu.schedSwitch(50, Task.idle(0), PrevState.RUNNABLE, WORKER);
            cpu.schedSwitch(100, WORKER, PrevState.SLEEPING, MAIN);
            cpu.schedWaking(200, OTHER.tid(), WORKER, 0);
            cpu.schedSwitch(300, MAIN, PrevState.SLEEPING, WORKER);
        }
        Trace trace = read();
        ThreadStates states = trace.threadStates();
        List<Integer> wakers = new ArrayList<>();
        for (int row = 0; row < states.size(); row++) {
            if (states.waker(row) >= 0) {
                wakers.add(trace.threads().tid(states.waker(row)));
            }
        }

        assertThat(wakers).containsExactly(OTHER.tid());
    }
}
