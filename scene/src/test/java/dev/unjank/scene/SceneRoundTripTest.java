package dev.unjank.scene;

import static dev.unjank.scene.Scene.ms;
import static dev.unjank.scene.Scene.traceTime;
import static dev.unjank.scene.Scene.us;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.model.Frames;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.write.WireFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Scenes written and read back equal the model, in every wire format. */
class SceneRoundTripTest {
    private final Scene scene = new Scene();
    private final SceneProcess app = scene.process(1000, "com.example.app");
    private final SceneThread main = app.mainThread("com.example.app", 110);
    private final SceneThread worker = app.thread(1001, "worker", 120);
    private final SceneThread other = scene.process(2000, "other").mainThread("other", 115);

    @TempDir
    private Path dir;

    static Stream<WireFormat> formats() {
        return Stream.of(WireFormat.PLAIN, WireFormat.COMPACT, WireFormat.COMPRESSED, new WireFormat(false, true));
    }

    @ParameterizedTest
    @MethodSource("formats")
    void anInversionRoundTrips(WireFormat format) throws Exception {
        worker.runs(1, ms(2)).runnable(ms(8)).runs(1, ms(9)).sleeps(ms(10));
        other.sleeps(ms(1.9)).runnable(ms(2)).runs(1, ms(8));
        main.runs(0, ms(1))
                .blocksOn(ArtContention.heldBy(worker))
                .sleeps(ms(8.99))
                .wokenBy(worker);
        main.runnable(ms(9.01)).acquires().runs(0, ms(10));
        Trace trace = read(format);

        assertThat(states(trace, main))
                .containsExactly(
                        "0 Running cpu 0 prio 110",
                        "1000 S",
                        "8990 R prio 110 woken by worker",
                        "9010 Running cpu 0 prio 110",
                        "10000 S");
        assertThat(states(trace, worker))
                .containsExactly("0 Running cpu 1 prio 120", "2000 R+", "8000 Running cpu 1 prio 120", "9000 S");
        assertThat(states(trace, other)).containsExactly("1900 R prio 115", "2000 Running cpu 1 prio 115", "8000 S");
        assertThat(slices(trace, main))
                .containsExactly(
                        "1000+8010 depth 0 " + ArtContention.heldBy(worker).outerSlice(),
                        "1000+8010 depth 1 Lock contention on a monitor lock (owner tid: 1001)");
        assertThat(trace.warnings()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("formats")
    void namesPrioritiesAndUninterruptibleSleepsRoundTrip(WireFormat format) throws Exception {
        worker.runs(1, ms(20));
        main.runs(0, ms(1)).priority(120).sleepsUninterruptibly(ms(2), true, "folio_wait_bit_common");
        main.wokenBy(worker)
                .runnable(ms(3))
                .priority(100)
                .runs(2, ms(4))
                .runnable(ms(5))
                .runs(2, ms(6));
        main.renames("a better name")
                .sleepsUninterruptibly(ms(7), false, null)
                .runnable(ms(8))
                .runs(0, ms(9));
        other.runs(3, ms(2))
                .sleepsUninterruptibly(ms(3), false, "folio_wait_bit_common")
                .runnable(ms(3.1))
                .runs(3, ms(4));
        Trace trace = read(format);

        assertThat(states(trace, main))
                .containsExactly(
                        "0 Running cpu 0 prio 110",
                        "1000 D I/O folio_wait_bit_common",
                        "2000 R prio 120 woken by worker",
                        "3000 Running cpu 2 prio 100",
                        "4000 R+",
                        "5000 Running cpu 2 prio 100",
                        "6000 D",
                        "7000 R prio 100",
                        "8000 Running cpu 0 prio 100",
                        "9000 S");
        assertThat(states(trace, other)).contains("2000 D folio_wait_bit_common");
        Threads threads = trace.threads();
        int utid = threads.find(main.tid(), traceTime(ms(9)));
        assertThat(threads.name(utid)).isEqualTo("a better name");
        assertThat(threads.isMain(utid)).isTrue();
        assertThat(trace.processes().name(threads.upid(utid))).isEqualTo("com.example.app");
    }

    @ParameterizedTest
    @MethodSource("formats")
    void startsAndExitsOfThreadsRoundTrip(WireFormat format) throws Exception {
        SceneThread child = app.thread(1002, "child", 130);
        SceneThread stranger = scene.process(3000, "stranger").mainThread("stranger", 120);
        main.runs(0, ms(1)).spawns(child).runs(0, ms(2)).spawns(stranger).runs(0, ms(5));
        child.runnable(ms(1.5)).runs(1, ms(3)).exits();
        stranger.runnable(ms(2.5)).runs(2, ms(4));
        Trace trace = read(format);

        assertThat(states(trace, child)).contains("1500 Running cpu 1 prio 130");
        Threads threads = trace.threads();
        int childId = threads.find(child.tid(), traceTime(ms(2)));
        int strangerId = threads.find(stranger.tid(), traceTime(ms(3)));
        int mainId = threads.find(main.tid(), traceTime(ms(3)));
        assertThat(threads.upid(childId)).isEqualTo(threads.upid(mainId));
        assertThat(threads.upid(strangerId)).isNotEqualTo(threads.upid(mainId));
        assertThat(trace.processes().name(threads.upid(strangerId))).isEqualTo("stranger");
        assertThat(threads.startNs(childId)).isEqualTo(traceTime(ms(1)));
        assertThat(threads.endNs(childId)).isBetween(traceTime(ms(3)), traceTime(us(3001)));
    }

    @ParameterizedTest
    @MethodSource("formats")
    void slicesAndFramesRoundTrip(WireFormat format) throws Exception {
        main.begin("outer")
                .runs(0, ms(1))
                .begin("inner")
                .runs(0, ms(2))
                .end()
                .runs(0, ms(3))
                .end();
        main.runs(0, ms(4)).begin("never ends").runs(0, ms(5));
        app.frame("layer one", ms(1), ms(2), ms(5), 64);
        app.frame("layer two", ms(2), ms(4), ms(3), 1);
        Trace trace = read(format);

        assertThat(slices(trace, main))
                .containsExactly(
                        "0+3000 depth 0 outer", "1000+1000 depth 1 inner", "4000+1000 open depth 0 never ends");
        assertThat(frames(trace))
                .containsExactlyInAnyOrder(
                        "1000+4000 deadline 2000 jank 64 layer one", "2000+1000 deadline 4000 jank 1 layer two");
    }

    @ParameterizedTest
    @MethodSource("formats")
    void theLauncherExampleHoldsItsInversion(WireFormat format) throws Exception {
        Path file = Files.write(dir.resolve("launcher"), LauncherExample.scene().toBytes(format));
        Trace trace = TraceReader.read(file);

        int owner = trace.threads().find(3384, traceTime(ms(21)));
        assertThat(timeIn(trace, owner, ms(21), ms(30.148), SchedState.RUNNABLE)
                        + timeIn(trace, owner, ms(21), ms(30.148), SchedState.RUNNABLE_PREEMPTED))
                .isEqualTo(us(5512));
        assertThat(timeIn(trace, owner, ms(21), ms(30.148), SchedState.RUNNING)).isEqualTo(us(113));
        assertThat(timeIn(trace, owner, ms(21), ms(30.148), SchedState.SLEEPING))
                .isEqualTo(us(3523));
        int main = trace.threads().find(3363, traceTime(ms(21)));
        assertThat(slices(trace, main))
                .filteredOn(slice -> slice.contains("monitor contention"))
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("21000+9148 ").contains("binder:3363_2 (3384)"),
                        second -> assertThat(second).startsWith("44500+3500 ").contains("launcher-loader (3391)"));
        assertThat(frames(trace)).filteredOn(frame -> frame.contains("jank 64")).hasSize(1);
        assertThat(trace.warnings()).isEmpty();
    }

    private Trace read(WireFormat format) throws IOException, UnusableTraceException {
        return TraceReader.read(Files.write(dir.resolve("scene.pftrace"), scene.toBytes(format)));
    }

    /** Each row as "start in µs, state and details"; priorities where a thread gets a CPU or waits for one. */
    private static List<String> states(Trace trace, SceneThread thread) {
        ThreadStates states = trace.threadStates();
        Threads threads = trace.threads();
        int utid = onlyThread(trace, thread.tid());
        List<String> lines = new ArrayList<>();
        for (int row = states.first(utid); row < states.end(utid); row++) {
            SchedState state = states.state(row);
            StringBuilder line = new StringBuilder();
            line.append(micros(states.ts(row))).append(' ').append(state.text());
            if (state == SchedState.RUNNING) {
                line.append(" cpu ").append(states.cpu(row));
            }
            if (state == SchedState.RUNNING || state == SchedState.RUNNABLE) {
                line.append(" prio ").append(states.priority(row));
            }
            if (state == SchedState.RUNNABLE && states.waker(row) >= 0) {
                line.append(" woken by ").append(threads.name(states.waker(row)));
            }
            line.append(states.ioWait(row) ? " I/O" : "");
            line.append(states.blockedFunction(row) == null ? "" : " " + states.blockedFunction(row));
            lines.add(line.toString());
        }
        return lines;
    }

    private static List<String> slices(Trace trace, SceneThread thread) {
        return slices(trace, onlyThread(trace, thread.tid()));
    }

    private static List<String> slices(Trace trace, int utid) {
        Slices slices = trace.slices();
        List<String> lines = new ArrayList<>();
        for (int row = slices.first(utid); row < slices.end(utid); row++) {
            lines.add(micros(slices.ts(row)) + "+" + slices.dur(row) / 1000 + (slices.isOpen(row) ? " open" : "")
                    + " depth " + slices.depth(row) + " " + slices.name(row));
        }
        return lines;
    }

    private static List<String> frames(Trace trace) {
        Frames frames = trace.frames();
        List<String> lines = new ArrayList<>();
        for (int row = 0; row < frames.size(); row++) {
            lines.add(micros(frames.ts(row)) + "+" + frames.dur(row) / 1000 + " deadline "
                    + micros(frames.deadlineNs(row)) + " jank " + frames.jankMask(row) + " " + frames.layer(row));
        }
        return lines;
    }

    private static long timeIn(Trace trace, int utid, long from, long until, SchedState state) {
        ThreadStates states = trace.threadStates();
        long time = 0;
        for (int row = states.first(utid); row < states.end(utid); row++) {
            if (states.state(row) == state) {
                long start = Math.max(states.ts(row), traceTime(from));
                long end = Math.min(states.endNs(row), traceTime(until));
                time += Math.max(0, end - start);
            }
        }
        return time;
    }

    private static int onlyThread(Trace trace, int tid) {
        int found = -1;
        for (int utid = 0; utid < trace.threads().size(); utid++) {
            if (trace.threads().tid(utid) == tid) {
                assertThat(found).as("threads of tid " + tid).isNegative();
                found = utid;
            }
        }
        return found;
    }

    private static long micros(long ts) {
        return (ts - Scene.START_NS) / 1000;
    }
}
