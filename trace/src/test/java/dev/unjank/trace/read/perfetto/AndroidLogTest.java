package dev.unjank.trace.read.perfetto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.proto.PacketFields;
import dev.unjank.trace.proto.PacketFields.AndroidLogPacket;
import dev.unjank.trace.proto.PacketFields.LogEvent;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.ProtoWriter;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.write.FtraceCpuWriter;
import dev.unjank.trace.write.PrevState;
import dev.unjank.trace.write.Task;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Android log lines are not modeled, except for their times. */
class AndroidLogTest {
    private static final long BOOT = 5_000_000_000L;
    private static final long WALL = 1_634_072_190_000_000_000L;
    private static final Task SLEEPER = new Task(10, "sleeper", 120);
    private static final Task WAKER = new Task(7, "waker", 120);

    @TempDir
    private Path folder;

    /** CPU 1 is current at its waking, and CPU 0 at the sleep, at 300. */
    private Trace read(long... logNs) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            writer.clockSnapshot(BOOT, BOOT, WALL);
            FtraceCpuWriter first = writer.cpu(0);
            first.schedSwitch(BOOT + 100, Task.idle(0), PrevState.RUNNABLE, SLEEPER);
            first.schedSwitch(BOOT + 300, SLEEPER, PrevState.SLEEPING, Task.idle(0));
            first.schedSwitch(BOOT + 400, Task.idle(0), PrevState.RUNNABLE, SLEEPER);
            FtraceCpuWriter second = writer.cpu(1);
            second.schedSwitch(BOOT + 200, Task.idle(1), PrevState.RUNNABLE, WAKER);
            second.schedWaking(BOOT + 300, WAKER.tid(), SLEEPER, 0);
        }
        ProtoWriter log = new ProtoWriter();
        int packet = log.begin(PacketFields.Trace.PACKET);
        log.varint(TracePacket.TIMESTAMP, BOOT + 350);
        log.varint(TracePacket.TRUSTED_PACKET_SEQUENCE_ID, 7);
        int lines = log.begin(TracePacket.ANDROID_LOG);
        for (long ns : logNs) {
            int line = log.begin(AndroidLogPacket.EVENTS);
            log.varint(LogEvent.TIMESTAMP, ns);
            log.end(line);
        }
        log.end(lines);
        log.end(packet);
        bytes.write(log.toByteArray());
        Trace trace = TraceReader.read(Files.write(folder.resolve("t"), bytes.toByteArray()));
        TraceInvariants.check(trace);
        return trace;
    }

    private static SchedState seenAt(Trace trace, long ns) {
        ThreadStates seen = trace.threadStates().withoutIgnoredWakeups();
        return seen.state(seen.at(trace.threads().find(SLEEPER.tid(), ns), ns));
    }

    @Test
    void aLineTakesTheTurn() throws IOException {
        assertThat(seenAt(read(), BOOT + 320)).isEqualTo(SchedState.SLEEPING);
        assertThat(seenAt(read(WALL + 199), BOOT + 320)).isEqualTo(SchedState.SLEEPING);
        assertThat(seenAt(read(WALL + 250), BOOT + 320)).isEqualTo(SchedState.RUNNABLE);
    }

    @Test
    void itMakesTheTraceNoLonger() throws IOException {
        Trace trace = read(WALL - 4_000_000_000L, WALL + 4_000_000_000L, 0, Long.MAX_VALUE, -1);
        assertThat(trace.startNs()).isEqualTo(BOOT + 100);
        assertThat(trace.endNs()).isEqualTo(BOOT + 400);
        assertThat(trace.skipped().packets()).isOne();
    }
}
