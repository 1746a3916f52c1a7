package dev.unjank.trace.read.jfr;

import static dev.unjank.fixture.jfr.JfrTestRecordings.MAIN;
import static dev.unjank.fixture.jfr.JfrTestRecordings.START_TICKS;
import static dev.unjank.fixture.jfr.JfrTestRecordings.WORKER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.jfr.JfrChunkWriter;
import dev.unjank.fixture.jfr.JfrChunkWriter.F;
import dev.unjank.fixture.jfr.JfrTestRecordings;
import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The import of safepoints and GC pauses as slices of the process. */
class VmPausesTest {
    private final JfrChunkWriter chunk = chunk();

    private static JfrChunkWriter chunk() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        F safepoint = new F("safepointId", JfrChunkWriter.LONG);
        F collection = new F("gcId", JfrChunkWriter.INT);
        F name = new F("name", JfrChunkWriter.STRING);
        JfrTestRecordings.kind(chunk, "jdk.SafepointBegin", safepoint);
        JfrTestRecordings.kind(chunk, "jdk.SafepointStateSynchronization", safepoint);
        JfrTestRecordings.kind(chunk, "jdk.SafepointEnd", safepoint);
        JfrTestRecordings.kind(
                chunk,
                "jdk.ExecuteVMOperation",
                new F("operation", JfrChunkWriter.STRING),
                new F("safepoint", JfrChunkWriter.BOOLEAN),
                new F("caller", "@" + JfrChunkWriter.THREAD),
                safepoint);
        JfrTestRecordings.kind(chunk, "jdk.GCPhasePause", collection, name);
        JfrTestRecordings.kind(chunk, "jdk.GCPhasePauseLevel1", collection, name);
        JfrTestRecordings.kind(chunk, "jdk.GCPhasePauseLevel2", collection, name);
        JfrTestRecordings.kind(
                chunk,
                "jdk.GarbageCollection",
                collection,
                name,
                new F("cause", JfrChunkWriter.STRING),
                new F("sumOfPauses", JfrChunkWriter.LONG));
        JfrTestRecordings.kind(chunk, "jdk.GCHeapSummary", collection, new F("heapUsed", JfrChunkWriter.LONG));
        JfrTestRecordings.kindOfThread(chunk, "jdk.SystemGC", new F("stackTrace", "@" + JfrChunkWriter.STACK));
        return chunk;
    }

    private void safepoint(String piece, long from, long length, long number) {
        chunk.event(
                "jdk.Safepoint" + piece,
                out -> out.number(START_TICKS + from).number(length).number(number));
    }

    private void operation(long from, long length, String name, boolean atSafepoint, long caller, long number) {
        chunk.event(
                "jdk.ExecuteVMOperation",
                out -> out.number(START_TICKS + from)
                        .number(length)
                        .text(name)
                        .one(atSafepoint ? 1 : 0)
                        .number(caller)
                        .number(number));
    }

    private void pause(String level, long from, long length, int collection, String name) {
        chunk.event(
                "jdk.GCPhasePause" + level,
                out -> out.number(START_TICKS + from)
                        .number(length)
                        .number(collection)
                        .text(name));
    }

    /** A collection that paused the program except for {@code beside}. */
    private void collection(long from, long length, int number, String name, String cause, long beside) {
        chunk.event("jdk.GarbageCollection", out -> {
            out.number(START_TICKS + from).number(length).number(number).text(name);
            (cause == null ? out.nothing() : out.text(cause)).number(length - beside);
        });
    }

    private Trace read() {
        Trace trace = SmallRecordings.read(chunk.checkpoint().metadata());
        TraceInvariants.check(trace);
        Slices slices = trace.slices();
        assertThat(IntStream.range(0, slices.size())
                        .filter(row -> slices.utid(row) < 0)
                        .mapToObj(slices::upid))
                .allMatch(upid -> upid == 0);
        return trace;
    }

    @Test
    void thePiecesOfASafepointBelongTogether() {
        safepoint("Begin", 10, 7, 77);
        safepoint("StateSynchronization", 11, 3, 77);
        safepoint("End", 100, 5, 77);
        operation(15, 80, "ThreadDump", true, WORKER, 77);
        operation(500, 80, "Concurrent", false, MAIN, 78);
        assertThat(SmallRecordings.slices(read()))
                .containsExactly("- 10+95 safepoint: ThreadDump by worker (102)", "- 10+4 reaching the safepoint");
    }

    @Test
    void withoutTheExactTimeThatTheBeginningTookThreadsStopped() {
        safepoint("Begin", 10, 7, 77);
        safepoint("Begin", 200, 0, 78);
        operation(201, 9, "Cleanup", true, 0, 78);
        safepoint("End", 100, 5, 77);
        assertThat(SmallRecordings.slices(read()))
                .containsExactly(
                        "- 10+95 safepoint: unknown operation",
                        "- 10+7 reaching the safepoint",
                        "- 200+10 safepoint: Cleanup");
    }

    @Test
    void aPauseHasTheNameOfItsCollectionOrItsOwn() {
        pause("", 20, 60, 3, "GC Pause");
        collection(20, 60, 3, "G1New", "System.gc()", 0);
        pause("", 200, 6, 4, "Pause Remark");
        assertThat(SmallRecordings.slices(read()))
                .containsExactlyInAnyOrder(
                        "- 20+60 GC pause: G1New (System.gc())",
                        "- 20+60 GC: G1New (System.gc())",
                        "- 200+6 GC pause: Pause Remark");
    }

    @Test
    void aCollectionIsAPauseIfItStoppedTheProgramThroughout() {
        collection(400, 70, 5, "G1Full", null, 0);
        collection(600, 70, 6, "G1Old", null, 60);
        assertThat(SmallRecordings.slices(read()))
                .containsExactlyInAnyOrder("- 400+70 GC: G1Full", "- 400+70 GC pause: G1Full", "- 600+70 GC: G1Old");
    }

    @Test
    void thePhasesOfAPauseLieWithinIt() {
        pause("Level1", 20, 60, 3, "Phase 1: Mark live objects");
        pause("Level2", 30, 10, 3, "Reference Processing");
        pause("", 20, 60, 3, "GC Pause");
        Trace trace = read();
        assertThat(SmallRecordings.slices(trace))
                .containsExactly(
                        "- 20+60 GC pause: GC Pause",
                        "- 20+60 Phase 1: Mark live objects",
                        "- 30+10 Reference Processing");
        assertThat(trace.slices().parent(2)).isEqualTo(1);
        assertThat(trace.slices().parent(1)).isZero();
    }

    @Test
    void callersOfSystemGc() {
        chunk.klass(20, "java/lang/Runtime")
                .klass(21, "java/lang/System")
                .method(22, 20, "gc", "()V")
                .method(23, 21, "gc", "()V")
                .stack(24, 22, 0, 23, 5, 8, 42);
        chunk.event(
                "jdk.SystemGC",
                out -> out.number(START_TICKS + 5).number(90).number(MAIN).number(24));
        chunk.event(
                "jdk.GCHeapSummary",
                out -> out.number(START_TICKS + 6).number(0).number(1).number(4096));
        Trace trace = read();
        assertThat(SmallRecordings.slices(trace))
                .containsExactly("main 5+90 System.gc() from void app.Store.save(java.lang.String, int[])(Store:42)");
        assertThat(trace.counters().name(0)).isEqualTo("heap used");
        assertThat(trace.counters().value(0)).isEqualTo(4096);
    }
}
