package dev.unjank.trace.read.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.jfr.JfrChunkWriter;
import dev.unjank.fixture.jfr.JfrChunkWriter.F;
import dev.unjank.fixture.jfr.JfrTestRecordings;
import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
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

/** The life times of threads, from the events of their starts and ends. Times are in microseconds of the recording. */
class ThreadLivesTest {
    private static final long MS = 1_000_000;
    private static final long BOOT = 5_000_000 * MS;

    /** A thread with the tid of the worker, but another id in Java. */
    private static final long SUCCESSOR = 99;

    @TempDir
    private Path dir;

    private static JfrChunkWriter chunk() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        JfrTestRecordings.kindOfThread(chunk, "jdk.ThreadStart", new F("thread", "@" + JfrChunkWriter.THREAD));
        JfrTestRecordings.kindOfThread(chunk, "jdk.ThreadEnd", new F("thread", "@" + JfrChunkWriter.THREAD));
        chunk.thread(SUCCESSOR, 102, 99, "successor");
        JfrTestRecordings.information(chunk).checkpoint();
        return chunk;
    }

    /** Adds an event that main records about another thread. */
    private static void life(JfrChunkWriter chunk, String event, long thread, long atUs) {
        JfrTestRecordings.ofThread(chunk, event, JfrTestRecordings.MAIN, atUs, 0, out -> out.number(thread));
    }

    private static Threads read(JfrChunkWriter chunk) {
        Trace trace = SmallRecordings.read(chunk);
        TraceInvariants.check(trace);
        return trace.threads();
    }

    private static int only(Threads threads, int tid) {
        int[] found = IntStream.range(0, threads.size())
                .filter(utid -> threads.tid(utid) == tid)
                .toArray();
        assertThat(found).as("threads of that number").hasSize(1);
        return found[0];
    }

    private static long at(long us) {
        return JfrTestRecordings.START_NS + us * 1_000;
    }

    @Test
    void startAndEnd() {
        JfrChunkWriter chunk = chunk();
        life(chunk, "jdk.ThreadStart", JfrTestRecordings.WORKER, 10_000);
        JfrTestRecordings.sample(chunk, JfrTestRecordings.WORKER, 15_000);
        life(chunk, "jdk.ThreadEnd", JfrTestRecordings.WORKER, 20_000);
        JfrTestRecordings.sample(chunk, JfrTestRecordings.MAIN, 30_000);
        chunk.metadata();
        Threads threads = read(chunk);
        int worker = only(threads, 102);
        assertThat(threads.startNs(worker)).isEqualTo(at(10_000));
        assertThat(threads.endNs(worker)).isEqualTo(at(20_000));
        int main = only(threads, 101);
        assertThat(threads.startNs(main)).as("no event").isEqualTo(Long.MIN_VALUE);
        assertThat(threads.endNs(main)).as("no event").isEqualTo(Long.MAX_VALUE);
    }

    /** Only the end is known of a thread that ran before the recording, and only the start of one that still runs. */
    @Test
    void onlyOneOfBoth() {
        JfrChunkWriter chunk = chunk();
        life(chunk, "jdk.ThreadEnd", JfrTestRecordings.WORKER, 20_000);
        life(chunk, "jdk.ThreadStart", JfrTestRecordings.SAVER, 25_000);
        chunk.metadata();
        Threads threads = read(chunk);
        int worker = only(threads, 102);
        assertThat(threads.startNs(worker)).isEqualTo(Long.MIN_VALUE);
        assertThat(threads.endNs(worker)).isEqualTo(at(20_000));
        int saver = only(threads, 103);
        assertThat(threads.startNs(saver)).isEqualTo(at(25_000));
        assertThat(threads.endNs(saver)).isEqualTo(Long.MAX_VALUE);
    }

    /** An event of the thread after its end: the clock or the order of writing is wrong, but the thread was there. */
    @Test
    void aLifeContainsTheEventsOfItsThread() {
        JfrChunkWriter chunk = chunk();
        JfrTestRecordings.sample(chunk, JfrTestRecordings.WORKER, 9_000);
        life(chunk, "jdk.ThreadStart", JfrTestRecordings.WORKER, 10_000);
        life(chunk, "jdk.ThreadEnd", JfrTestRecordings.WORKER, 20_000);
        JfrTestRecordings.sample(chunk, JfrTestRecordings.WORKER, 21_000);
        chunk.metadata();
        Threads threads = read(chunk);
        int worker = only(threads, 102);
        assertThat(threads.startNs(worker)).isEqualTo(at(9_000));
        assertThat(threads.endNs(worker)).isEqualTo(at(21_000));
    }

    @Test
    void aReusedTidIsAnotherThread() {
        JfrChunkWriter chunk = chunk();
        life(chunk, "jdk.ThreadStart", JfrTestRecordings.WORKER, 10_000);
        life(chunk, "jdk.ThreadEnd", JfrTestRecordings.WORKER, 20_000);
        life(chunk, "jdk.ThreadStart", SUCCESSOR, 30_000);
        life(chunk, "jdk.ThreadEnd", SUCCESSOR, 40_000);
        chunk.metadata();
        Threads threads = read(chunk);
        int worker = threads.find(102, at(15_000));
        int successor = threads.find(102, at(35_000));
        assertThat(threads.find(102, at(25_000))).as("between them").isEqualTo(-1);
        assertThat(threads.name(worker)).isEqualTo("worker");
        assertThat(threads.name(successor)).isEqualTo("successor");
        assertThat(threads.startNs(worker)).isEqualTo(at(10_000));
        assertThat(threads.endNs(worker)).isBetween(at(20_000), at(20_000) + 1);
        assertThat(threads.startNs(successor)).isEqualTo(at(30_000));
        assertThat(threads.endNs(successor)).isEqualTo(at(40_000));
    }

    /** The kernel's record of the same thread is more accurate, and it is one thread. */
    @Test
    void mergedWithTheKernelsRecord() throws IOException {
        JfrChunkWriter chunk = chunk();
        life(chunk, "jdk.ThreadStart", JfrTestRecordings.WORKER, 10_000);
        life(chunk, "jdk.ThreadEnd", JfrTestRecordings.WORKER, 20_000);
        chunk.metadata();
        Task worker = new Task(102, "worker", 120);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            writer.clockSnapshot(BOOT, BOOT - 1_000 * MS, JfrTestRecordings.START_NS);
            writer.processTree(
                    BOOT, List.of(new TraceWriter.ProcessEntry(JfrTestRecordings.PID, 1, "java")), List.of());
            writer.cpu(1).taskNewtask(BOOT + 9 * MS, JfrTestRecordings.PID, worker, true);
            writer.cpu(1).schedSwitch(BOOT + 9 * MS + 100, Task.idle(1), PrevState.RUNNABLE, worker);
            writer.cpu(1).schedSwitch(BOOT + 22 * MS, worker, PrevState.DEAD, Task.idle(1));
            writer.cpu(1).schedProcessFree(BOOT + 23 * MS, 0, worker);
        }
        Path system = Files.write(dir.resolve("system.pftrace"), bytes.toByteArray());
        Path recording = Files.write(dir.resolve("app.jfr"), chunk.toByteArray());
        Trace trace = TraceReader.read(List.of(system, recording));
        TraceInvariants.check(trace);
        int utid = only(trace.threads(), 102);
        assertThat(trace.threads().startNs(utid)).isEqualTo(BOOT + 9 * MS);
        assertThat(trace.threads().endNs(utid)).isEqualTo(BOOT + 23 * MS);
    }
}
