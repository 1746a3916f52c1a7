package dev.unjank.trace.read.jfr;

import static dev.unjank.fixture.jfr.JfrTestRecordings.MAIN;
import static dev.unjank.fixture.jfr.JfrTestRecordings.SAVER;
import static dev.unjank.fixture.jfr.JfrTestRecordings.START_TICKS;
import static dev.unjank.fixture.jfr.JfrTestRecordings.WORKER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.jfr.JfrChunkWriter;
import dev.unjank.fixture.jfr.JfrChunkWriter.F;
import dev.unjank.fixture.jfr.JfrTestRecordings;
import dev.unjank.trace.model.Trace;
import org.junit.jupiter.api.Test;

/** Allocations that wait for a collection; times in microseconds. */
class AllocationStallsTest {
    private static final String ALLOCATION = "jdk.AllocationRequiringGC";
    private static final String PAUSE = "jdk.GCPhasePause";
    private static final String STALL = "jdk.ZAllocationStall";
    private static final String LOCKER = "jdk.GCLocker";

    private final JfrChunkWriter chunk = JfrTestRecordings.chunk();

    AllocationStallsTest() {
        chunk.eventType(
                ALLOCATION,
                new F("startTime", JfrChunkWriter.LONG),
                new F("eventThread", "@" + JfrChunkWriter.THREAD),
                new F("gcId", JfrChunkWriter.INT));
        JfrTestRecordings.kind(chunk, PAUSE, new F("gcId", JfrChunkWriter.INT), new F("name", JfrChunkWriter.STRING));
        JfrTestRecordings.kindOfThread(chunk, STALL);
        JfrTestRecordings.kindOfThread(chunk, LOCKER);
    }

    private void needs(long thread, long atUs, int collection) {
        chunk.event(
                ALLOCATION, out -> out.number(START_TICKS + atUs).number(thread).number(collection));
    }

    private void pause(long fromUs, long lengthUs, int collection) {
        chunk.event(
                PAUSE,
                out -> out.number(START_TICKS + fromUs)
                        .number(lengthUs)
                        .number(collection)
                        .text("GC Pause"));
    }

    private Trace read() {
        return SmallRecordings.read(chunk.checkpoint().metadata());
    }

    @Test
    void threadsWaitUntilACollectionThatWasHeldUpBegins() {
        needs(MAIN, 1_000, 3);
        needs(WORKER, 5_000, 3);
        pause(800_000, 4_000, 3);

        assertThat(SmallRecordings.slices(read()))
                .containsExactlyInAnyOrder(
                        "main 1000+799000 GC: Wait For Start Alloc",
                        "worker 5000+795000 GC: Wait For Start Alloc",
                        "- 800000+4000 GC pause: GC Pause");
    }

    @Test
    void aCollectionThatStartsAtOnceIsNoStall() {
        needs(MAIN, 1_000, 3);
        pause(1_900, 4_000, 3);

        assertThat(SmallRecordings.slices(read())).containsExactly("- 1900+4000 GC pause: GC Pause");
    }

    /**
     * As recorded by Java 17: the first attempt fails because of the section, and the collection after it has its own
     * id.
     */
    @Test
    void aFailedAttemptIsAWaitForTheNextCollection() {
        pause(200, 100, 3);
        needs(MAIN, 1_000, 4);
        pause(800_000, 4_000, 5);
        pause(900_000, 4_000, 6);

        assertThat(SmallRecordings.slices(read())).contains("main 1000+799000 GC: Wait For Start Alloc");
    }

    @Test
    void oneThatTheRecordingDoesNotHaveIsStillWaitedFor() {
        needs(MAIN, 1_000, 4);
        pause(9_000, 4_000, 3);
        Trace trace = read();

        assertThat(trace.slices().name(0)).isEqualTo("GC: Wait For Start Alloc");
        assertThat(trace.slices().isOpen(0)).isTrue();
        assertThat(trace.slices().isOpen(1)).isFalse();
    }

    @Test
    void recordedStallsAndCriticalSectionsAreSlices() {
        chunk.event(STALL, out -> out.number(START_TICKS + 100).number(700).number(WORKER));
        chunk.event(LOCKER, out -> out.number(START_TICKS + 200).number(50_000).number(SAVER));
        Trace trace = read();

        assertThat(SmallRecordings.slices(trace))
                .containsExactlyInAnyOrder(
                        "worker 100+700 GC: Wait For Completion Alloc", "saver 200+50000 JNI critical section");
    }
}
