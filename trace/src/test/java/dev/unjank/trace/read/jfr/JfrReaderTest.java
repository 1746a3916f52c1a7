package dev.unjank.trace.read.jfr;

import static dev.unjank.fixture.jfr.JfrTestRecordings.MAIN;
import static dev.unjank.fixture.jfr.JfrTestRecordings.SAVER;
import static dev.unjank.fixture.jfr.JfrTestRecordings.START_NS;
import static dev.unjank.fixture.jfr.JfrTestRecordings.START_TICKS;
import static dev.unjank.fixture.jfr.JfrTestRecordings.WORKER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.jfr.JfrChunkWriter;
import dev.unjank.fixture.jfr.JfrChunkWriter.F;
import dev.unjank.fixture.jfr.JfrTestRecordings;
import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.model.Args;
import dev.unjank.trace.model.Callstacks;
import dev.unjank.trace.model.MessageQueueEvents;
import dev.unjank.trace.model.StackSamples;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceRowText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The import of each type of event. */
class JfrReaderTest {
    private static final String MONITORS = JfrTestRecordings.MONITOR_ENTER;
    private static final String STACK = "debug." + JfrChunks.STACK;
    private static final String PLACE = "blocking from void app.Store.save(java.lang.String, int[])(Store:42)";

    private static Trace read(JfrChunkWriter chunk) {
        Trace trace = SmallRecordings.read(chunk);
        TraceInvariants.check(trace);
        return trace;
    }

    @Test
    void aWaitForAMonitorIsNamedAsAndroidsRuntimeNamesIt() {
        JfrChunkWriter chunk = JfrTestRecordings.information(JfrTestRecordings.chunk());
        JfrTestRecordings.enter(chunk, MAIN, 1_000, 40_000, WORKER, 0x10)
                .checkpoint()
                .metadata();
        Trace trace = read(chunk);
        assertThat(SmallRecordings.slices(trace))
                .containsExactly(
                        "main 1000+40000 monitor contention with owner worker (102) at void null()(null:-1) waiters=0 "
                                + PLACE);
        int utid = trace.slices().utid(0);
        assertThat(trace.threads().tid(utid)).isEqualTo(101);
        int upid = trace.threads().upid(utid);
        assertThat(trace.processes().pid(upid)).isEqualTo(JfrTestRecordings.PID);
        assertThat(trace.processes().name(upid)).isEqualTo("app.Main");
        assertThat(trace.processes().isJvm(upid)).isTrue();
        assertThat(trace.slices().ts(0)).isEqualTo(START_NS + 1_000_000);
    }

    private static JfrChunkWriter waits() {
        JfrChunkWriter chunk = JfrTestRecordings.information(JfrTestRecordings.chunk());
        JfrTestRecordings.enter(chunk, MAIN, 1_000, 40_000, WORKER, 0x10);
        return JfrTestRecordings.park(chunk, SAVER, 2_000, 30_000);
    }

    @Test
    void aRecordingOfJdk9IsReadLikeALaterOne() {
        byte[] old = waits().checkpoint().ofJdk9().metadata().toByteArray();
        Trace trace = SmallRecordings.read(old);

        assertThat(trace.warnings()).isEmpty();
        assertThat(TraceRowText.rows(trace))
                .isEqualTo(TraceRowText.rows(
                        SmallRecordings.read(waits().checkpoint().metadata())))
                .hasSizeGreaterThan(2);
    }

    @Test
    void theClassOfAMonitorIsAnArg() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        chunk.klass(30, "app/Other$Lock");
        JfrTestRecordings.enter(chunk, MAIN, 1_000, 2_000, WORKER, 0x10);
        JfrTestRecordings.enterOn(chunk, MAIN, 4_000, 2_000, WORKER, 0x20, 30);
        JfrTestRecordings.enterOn(chunk, MAIN, 7_000, 2_000, WORKER, 0x30, 0)
                .checkpoint()
                .metadata();
        Trace trace = read(chunk);

        assertThat(trace.slices().size()).isEqualTo(3);
        Args args = trace.args();
        assertThat(args.text(0, "debug.lock class")).isEqualTo("app.Store");
        assertThat(args.text(1, "debug.lock class")).isEqualTo("app.Other$Lock");
        assertThat(args.text(2, "debug.lock class")).isNull();
    }

    @Test
    void theStackOfAWaitIsAnArg() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        JfrTestRecordings.kindOfThread(
                chunk,
                "jdk.JavaMonitorWait",
                new F("stackTrace", "@" + JfrChunkWriter.STACK),
                new F("monitorClass", "@" + JfrChunkWriter.CLASS));
        chunk.method(6, 7, "run", "()V").stack(5, 8, 43, 6, 0xffffffffL);
        chunk.stack(4, LongStream.range(0, 120).map(i -> i % 2 == 0 ? 6 : i).toArray());
        JfrTestRecordings.enter(chunk, MAIN, 1_000, 2_000, WORKER, 0x10);
        JfrTestRecordings.ofThread(
                chunk,
                "jdk.JavaMonitorWait",
                MAIN,
                5_000,
                500,
                out -> out.number(5).number(7));
        JfrTestRecordings.parkOn(chunk, MAIN, 6_000, 500, 7, 4);
        JfrTestRecordings.parkOn(chunk, MAIN, 7_000, 500, 7, 0);
        Trace trace = read(chunk.checkpoint().metadata());

        String save = "void app.Store.save(java.lang.String, int[])(Store:";
        assertThat(trace.args().text(0, STACK)).isEqualTo(save + "42)");
        assertThat(trace.slices().name(1)).isEqualTo("waiting on app.Store");
        assertThat(trace.args().text(1, STACK)).isEqualTo(save + "43)\nvoid app.Store.run()(Store)");
        assertThat(trace.args().text(2, STACK))
                .as("cut at its outer end")
                .startsWith("void app.Store.run()(Store:1)\n")
                .endsWith("\nvoid app.Store.run()(Store:95)")
                .hasLineCount(48);
        assertThat(trace.args().text(3, STACK)).isNull();
    }

    @Test
    void sleepsAndCallsForIoHaveTheirStackToo() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        F stack = new F("stackTrace", "@" + JfrChunkWriter.STACK);
        JfrTestRecordings.kindOfThread(chunk, "jdk.ThreadSleep", stack, new F("time", JfrChunkWriter.LONG));
        JfrTestRecordings.kindOfThread(chunk, "jdk.FileRead", stack, new F("path", JfrChunkWriter.STRING));
        JfrTestRecordings.ofThread(
                chunk, "jdk.ThreadSleep", MAIN, 1_000, 500, out -> out.number(9).number(400_000));
        JfrTestRecordings.ofThread(
                chunk, "jdk.FileRead", MAIN, 2_000, 500, out -> out.number(9).text("/a"));
        Trace trace = read(chunk.checkpoint().metadata());

        assertThat(SmallRecordings.slices(trace))
                .containsExactly("main 1000+500 sleeping", "main 2000+500 file read /a");
        String save = "void app.Store.save(java.lang.String, int[])(Store:42)";
        assertThat(trace.args().text(0, STACK)).isEqualTo(save);
        assertThat(trace.args().text(1, STACK)).isEqualTo(save);
        assertThat(trace.args().number(0, "debug." + JfrChunks.SLEEP_TIME, -1))
                .as("the time that the thread asked for, ns")
                .isEqualTo(400_000);
        assertThat(trace.args().number(1, "debug." + JfrChunks.SLEEP_TIME, -1)).isEqualTo(-1);
    }

    @Test
    void theNotifierAndTheTimeLimitOfAWaitAreArgs() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        JfrTestRecordings.kindOfThread(
                chunk,
                "jdk.JavaMonitorWait",
                new F("monitorClass", "@" + JfrChunkWriter.CLASS),
                new F("notifier", "@" + JfrChunkWriter.THREAD),
                new F("timedOut", JfrChunkWriter.LONG));
        JfrTestRecordings.ofThread(
                chunk,
                "jdk.JavaMonitorWait",
                MAIN,
                1_000,
                500,
                out -> out.number(7).number(WORKER).number(0));
        JfrTestRecordings.ofThread(
                chunk,
                "jdk.JavaMonitorWait",
                MAIN,
                2_000,
                500,
                out -> out.number(7).number(0).number(1));
        Trace trace = read(chunk.checkpoint().metadata());

        assertThat(trace.args().number(0, "debug." + JfrChunks.WAKER, -1)).isEqualTo(102);
        assertThat(trace.args().number(0, "debug." + JfrChunks.TIMED_OUT, 0)).isZero();
        assertThat(trace.args().number(1, "debug." + JfrChunks.WAKER, -1)).isEqualTo(-1);
        assertThat(trace.args().number(1, "debug." + JfrChunks.TIMED_OUT, 0)).isEqualTo(1);
    }

    @Test
    void aPinnedVirtualThreadHasItsReasonAndItsCarrier() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        JfrTestRecordings.kindOfThread(
                chunk,
                "jdk.VirtualThreadPinned",
                new F("stackTrace", "@" + JfrChunkWriter.STACK),
                new F("pinnedReason", JfrChunkWriter.STRING),
                new F("carrierThread", "@" + JfrChunkWriter.THREAD));
        JfrTestRecordings.ofThread(
                chunk,
                "jdk.VirtualThreadPinned",
                MAIN,
                1_000,
                500,
                out -> out.number(9).text("Native frame").number(WORKER));
        Trace trace = read(chunk.checkpoint().metadata());

        assertThat(SmallRecordings.slices(trace)).containsExactly("main 1000+500 virtual thread pinned: Native frame");
        assertThat(trace.args().number(0, "debug." + JfrChunks.CARRIER, -1)).isEqualTo(102);
        assertThat(trace.args().text(0, STACK)).startsWith("void app.Store.save");
    }

    @Test
    void aMissingOwnerIsUnknown() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        JfrTestRecordings.enter(chunk, MAIN, 1_000, 40_000, 0, 0x10)
                .checkpoint()
                .metadata();
        assertThat(SmallRecordings.slices(read(chunk)))
                .containsExactly(
                        "main 1000+40000 monitor contention with owner <unknown> (0) at void null()(null:-1) waiters=0 "
                                + PLACE);
    }

    @Test
    void otherWaitersShowChangesOfTheOwner() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        JfrTestRecordings.enter(chunk, WORKER, 5_000, 5_000, SAVER, 0x10);
        JfrTestRecordings.enter(chunk, MAIN, 7_000, 20_000, WORKER, 0x10);
        JfrTestRecordings.enter(chunk, SAVER, 8_000, 1_000, MAIN, 0x30)
                .checkpoint()
                .metadata();
        assertThat(SmallRecordings.slices(read(chunk)))
                .contains(
                        "main 7000+20000 monitor contention with owner worker (102) at void null()(null:-1) waiters=1 "
                                + PLACE,
                        "main 7000+3000 Lock contention on a monitor lock (owner tid: 103)",
                        "main 10000+17000 Lock contention on a monitor lock (owner tid: 102)",
                        "worker 5000+5000 monitor contention with owner saver (103) at void null()(null:-1) waiters=0 "
                                + PLACE)
                .hasSize(5);
    }

    @Test
    void withoutOwnersTheLastWaiterIsTheOwner() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        JfrTestRecordings.enter(chunk, WORKER, 5_000, 5_000, 0, 0x10);
        JfrTestRecordings.enter(chunk, MAIN, 7_000, 20_000, 0, 0x10)
                .checkpoint()
                .metadata();
        assertThat(SmallRecordings.slices(read(chunk)))
                .contains(
                        "main 7000+3000 Lock contention on a monitor lock (owner tid: 0)",
                        "main 10000+17000 Lock contention on a monitor lock (owner tid: 102)");
    }

    @Test
    void aParkOnALockHasAnUnknownOwner() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        chunk.klass(20, "java/util/concurrent/locks/ReentrantLock$NonfairSync")
                .klass(21, "java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject")
                .klass(22, "java/util/concurrent/locks/ReentrantLocksmith")
                .klass(23, "jdk/internal/misc/Unsafe")
                .method(24, 23, "park", "(ZJ)V")
                .method(25, 20, "lock", "()V")
                .stack(26, 24, 0, 25, 9, 8, 42)
                .stack(27, 24, 0);
        JfrTestRecordings.parkOn(chunk, MAIN, 1_000, 500, 20, 26);
        JfrTestRecordings.parkOn(chunk, MAIN, 2_000, 500, 20, 27);
        JfrTestRecordings.parkOn(chunk, MAIN, 3_000, 500, 21, 26);
        JfrTestRecordings.parkOn(chunk, MAIN, 4_000, 500, 22, 26);
        JfrTestRecordings.parkOn(chunk, MAIN, 5_000, 500, 0, 26);
        String lock = "parking on java.util.concurrent.locks.ReentrantLock$NonfairSync (owner tid: 0) blocking from ";
        assertThat(SmallRecordings.slices(read(chunk.checkpoint().metadata())))
                .containsExactly(
                        "main 1000+500 " + lock + "void app.Store.save(java.lang.String, int[])(Store:42)",
                        "main 2000+500 " + lock + "void jdk.internal.misc.Unsafe.park(boolean, long)(Unsafe)",
                        "main 3000+500 parking on"
                                + " java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject",
                        "main 4000+500 parking on java.util.concurrent.locks.ReentrantLocksmith",
                        "main 5000+500 parking");
    }

    @Test
    void otherParksAreNoContention() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        JfrTestRecordings.park(chunk, SAVER, 22_000, 5_000).checkpoint().metadata();
        Trace trace = read(chunk);
        assertThat(SmallRecordings.slices(trace)).containsExactly("saver 22000+5000 parking on app.Store");
        assertThat(trace.slices().category(0)).isEqualTo("park");
    }

    @Test
    void samplesHaveStacks() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        chunk.method(6, 7, "run", "()V").stack(5, 8, 43, 6, 12);
        JfrTestRecordings.sample(chunk, SAVER, 10_000);
        chunk.event(
                JfrTestRecordings.SAMPLE,
                out -> out.number(START_TICKS + 20_000).number(SAVER).number(5).text("STATE_SLEEPING"));
        Trace trace = read(chunk.checkpoint().metadata());
        StackSamples samples = trace.samples();
        Callstacks calls = trace.callstacks();
        assertThat(samples.size()).isEqualTo(2);
        int utid = samples.utid(0);
        assertThat(trace.threads().name(utid)).isEqualTo("saver");
        assertThat(samples.isRunning(0)).isTrue();
        assertThat(samples.isRunning(1)).isFalse();
        assertThat(samples.ts(1)).isEqualTo(START_NS + 20_000_000);
        assertThat(samples.from(utid, START_NS + 10_000_001)).isEqualTo(1);
        assertThat(calls.name(samples.callstack(0))).isEqualTo("app.Store.save");
        assertThat(calls.line(samples.callstack(0))).isEqualTo(42);
        assertThat(calls.line(samples.callstack(1))).isEqualTo(43);
        assertThat(calls.name(calls.parent(samples.callstack(1)))).isEqualTo("app.Store.run");
        assertThat(calls.parent(samples.callstack(0))).isEqualTo(-1);
    }

    /** A chunk with the type of a looper's messages. */
    private static JfrChunkWriter dispatches(F... others) {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        List<F> fields = new ArrayList<>(List.of(
                new F("handler", JfrChunkWriter.STRING),
                new F("callback", JfrChunkWriter.STRING),
                new F("what", JfrChunkWriter.INT),
                new F("wait", JfrChunkWriter.LONG)));
        fields.addAll(List.of(others));
        JfrTestRecordings.kindOfThread(chunk, "dev.unjank.MessageDispatch", fields.toArray(F[]::new));
        return chunk;
    }

    @Test
    void messagesOfLoopersAreSlicesOfTheirQueue() {
        JfrChunkWriter chunk = dispatches();
        chunk.eventType(
                "dev.unjank.Stall",
                new F("startTime", JfrChunkWriter.LONG),
                new F("looper", JfrChunkWriter.STRING),
                new F("kind", JfrChunkWriter.STRING),
                new F("length", JfrChunkWriter.LONG),
                new F("over", JfrChunkWriter.BOOLEAN));
        JfrTestRecordings.ofThread(
                chunk,
                "dev.unjank.MessageDispatch",
                MAIN,
                10,
                5,
                out -> out.text("Handler (app.Ui) {18911bd0}")
                        .text("app.Main$$Lambda/0x0000000047085e40")
                        .number(0)
                        .number(1_234));
        JfrTestRecordings.ofThread(
                chunk,
                "dev.unjank.MessageDispatch",
                MAIN,
                20,
                5,
                out -> out.text("Handler (app.Ui) {18911bd0}")
                        .nothing()
                        .number(7)
                        .number(0));
        chunk.event(
                "dev.unjank.Stall",
                out -> out.number(START_TICKS + 40)
                        .text("main")
                        .text("BACKLOG")
                        .number(10_000)
                        .one(0));
        chunk.event(
                "dev.unjank.Stall",
                out -> out.number(START_TICKS + 60)
                        .text("main")
                        .text("BACKLOG")
                        .number(30_000)
                        .one(1));
        Trace trace = read(chunk.checkpoint().metadata());
        assertThat(SmallRecordings.slices(trace))
                .containsExactly(
                        "main 10+5 app.Ui: app.Main$$Lambda",
                        "main 20+5 app.Ui: #7",
                        "main 30+30 stalled by a BACKLOG");
        assertThat(trace.slices().category(0)).isEqualTo("mq");
        assertThat(trace.queueEvents().code(trace.queueEvents().find(1))).isEqualTo(7);
        assertThat(trace.queueEvents().receiver(0)).isEqualTo("main");
        assertThat(trace.counters().name(0)).isEqualTo("message wait");
        assertThat(trace.counters().value(0)).isEqualTo(1_234);
    }

    @Test
    void aKnownSenderHasAFlow() {
        JfrChunkWriter chunk =
                dispatches(new F("sender", "@" + JfrChunkWriter.THREAD), new F("sent", JfrChunkWriter.LONG));
        for (int i = 0; i < 2; i++) { // sent with a delay of 5 ms, 2 ms late; the other without a sender
            long sender = i == 0 ? WORKER : MAIN;
            long at = 10_000 + i * 1_000L;
            JfrTestRecordings.ofThread(
                    chunk,
                    "dev.unjank.MessageDispatch",
                    MAIN,
                    at,
                    500,
                    out -> out.text("Handler (app.Ui) {18911bd0}")
                            .nothing()
                            .number(7)
                            .number(2_000_000)
                            .number(sender)
                            .number(7_300_000));
        }
        Trace trace = read(chunk.checkpoint().metadata());
        assertThat(SmallRecordings.slices(trace))
                .containsExactlyInAnyOrder(
                        "worker 2700+0 message_queue_send",
                        "main 3700+0 message_queue_send",
                        "main 10000+500 app.Ui: #7",
                        "main 11000+500 app.Ui: #7");
        MessageQueueEvents messages = trace.queueEvents();
        assertThat(messages.size()).isEqualTo(4);
        assertThat(trace.flows().size()).isEqualTo(2);
        for (int arrow = 0; arrow < 2; arrow++) {
            int sending = trace.flows().out(arrow);
            int delivery = trace.flows().in(arrow);
            assertThat(trace.slices().ts(delivery) - trace.slices().ts(sending)).isEqualTo(7_300_000);
            assertThat(trace.slices().category(sending)).isEqualTo("mq");
            for (int end : new int[] {sending, delivery}) {
                int message = messages.find(end);
                assertThat(messages.sender(message)).isEqualTo(arrow == 0 ? "worker" : "main");
                assertThat(messages.receiver(message)).isEqualTo("main");
                assertThat(messages.delayMs(message)).isEqualTo(5);
                assertThat(messages.code(message)).isEqualTo(7);
            }
        }
    }

    @Test
    void aThreadThatHasEndedIsKnownFromAnEarlierChunk() {
        JfrChunkWriter first = JfrTestRecordings.chunk().thread(4, 104, 44, "gone");
        JfrTestRecordings.park(first, WORKER, 1_000, 1_000).checkpoint().metadata();
        JfrChunkWriter second = JfrTestRecordings.chunk();
        JfrTestRecordings.park(second, 4, 9_000, 1_000).checkpoint().metadata();

        assertThat(SmallRecordings.slices(
                        SmallRecordings.read(JfrTestRecordings.joined(first.toByteArray(), second.toByteArray()))))
                .containsExactly("worker 1000+1000 parking on app.Store", "gone 9000+1000 parking on app.Store");
    }

    @Test
    void chunksOfOneRunMayBeReadOneByOne() {
        EarlierChunkThreads earlier = new EarlierChunkThreads();
        JfrChunkWriter first = JfrTestRecordings.chunk()
                .thread(4, 104, 44, "gone")
                .checkpoint()
                .metadata();
        JfrChunkWriter second = JfrTestRecordings.chunk();
        JfrTestRecordings.park(second, 4, 9_000, 1_000).checkpoint().metadata();

        assertThat(SmallRecordings.slices(SmallRecordings.read(earlier, first.toByteArray())))
                .isEmpty();
        assertThat(SmallRecordings.slices(SmallRecordings.read(earlier, second.toByteArray())))
                .containsExactly("gone 9000+1000 parking on app.Store");
        assertThat(SmallRecordings.slices(SmallRecordings.read(new EarlierChunkThreads(), second.toByteArray())))
                .isEmpty();
    }

    @Test
    void aTidThatTwoThreadsHadBelongsToEachInItsTime() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        chunk.thread(4, 102, 44, "successor");
        JfrTestRecordings.park(chunk, WORKER, 1_000, 1_000);
        JfrTestRecordings.park(chunk, 4, 9_000, 1_000).checkpoint().metadata();
        assertThat(SmallRecordings.slices(read(chunk)))
                .containsExactly("worker 1000+1000 parking on app.Store", "successor 9000+1000 parking on app.Store");
    }

    @Test
    void virtualThreadsHaveTidsAboveThoseOfTheKernel() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        chunk.thread(4, 0, 44, "").thread(5, 0, 45, "");
        JfrTestRecordings.park(chunk, 4, 1_000, 1_000);
        JfrTestRecordings.park(chunk, 5, 1_000, 1_000).checkpoint().metadata();
        Trace trace = read(chunk);
        assertThat(trace.slices().size()).isEqualTo(2);
        assertThat(List.of(
                        trace.threads().tid(trace.slices().utid(0)),
                        trace.threads().tid(trace.slices().utid(1))))
                .containsExactlyInAnyOrder((1 << 30) + 44, (1 << 30) + 45);
    }

    @Test
    void overlappingSlicesKeepTheirDurations() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        JfrTestRecordings.park(chunk, MAIN, 1_000, 1_000);
        JfrTestRecordings.park(chunk, MAIN, 1_500, 1_000);
        JfrTestRecordings.park(chunk, MAIN, 2_000, 100).checkpoint().metadata();
        assertThat(SmallRecordings.slices(read(chunk)))
                .containsExactly(
                        "main 1000+1000 parking on app.Store",
                        "main 1500+1000 parking on app.Store",
                        "main 2000+100 parking on app.Store");
    }

    @Test
    void aWaitKeepsItsLengthWhereTheSystemsClockWasCorrectedBetweenChunks() {
        JfrChunkWriter first = JfrTestRecordings.chunk();
        JfrTestRecordings.park(first, MAIN, 0, 10).checkpoint().metadata();
        JfrChunkWriter second = JfrTestRecordings.chunk(START_NS + 2_000_000_000L, START_TICKS + 1_000_000);
        JfrTestRecordings.park(second, MAIN, 999_000, 2_000).checkpoint().metadata();
        Trace trace = SmallRecordings.read(JfrTestRecordings.joined(first.toByteArray(), second.toByteArray()));
        assertThat(SmallRecordings.slices(trace))
                .containsExactly("main 0+10 parking on app.Store", "main 999000+2000 parking on app.Store");
    }

    @Test
    void aSecondRunHasItsOwnClockAndProcess() {
        JfrChunkWriter first = JfrTestRecordings.information(JfrTestRecordings.chunk());
        JfrTestRecordings.park(first, MAIN, 0, 10).checkpoint().metadata();
        JfrChunkWriter second = JfrTestRecordings.chunk(START_NS + 3_600_000_000_000L, START_TICKS);
        second.event(
                JfrTestRecordings.INFORMATION,
                out -> out.number(START_TICKS).text("other.jar").number(99));
        JfrTestRecordings.park(second, WORKER, 5, 10).checkpoint().metadata();
        Trace trace = SmallRecordings.read(JfrTestRecordings.joined(first.toByteArray(), second.toByteArray()));
        TraceInvariants.check(trace);
        assertThat(SmallRecordings.slices(trace))
                .containsExactly("main 0+10 parking on app.Store", "worker 3600000005+10 parking on app.Store");
        assertThat(trace.processes().size()).isEqualTo(2);
    }

    private static JfrChunkWriter settings() {
        return JfrTestRecordings.chunk()
                .eventType(
                        "jdk.ActiveSetting",
                        new F("startTime", JfrChunkWriter.LONG),
                        new F("id", JfrChunkWriter.LONG),
                        new F("name", JfrChunkWriter.STRING),
                        new F("value", JfrChunkWriter.STRING));
    }

    private static void setting(JfrChunkWriter chunk, long event, String name, String value) {
        chunk.event(
                "jdk.ActiveSetting",
                out -> out.number(START_TICKS).number(event).text(name).text(value));
    }

    @Test
    void settingsBecomeWarnings() {
        JfrChunkWriter chunk = settings();
        setting(chunk, chunk.id(JfrTestRecordings.MONITOR_ENTER), "threshold", "20 ms");
        JfrTestRecordings.park(chunk, MAIN, 0, 10).checkpoint().metadata();
        assertThat(read(chunk).warnings())
                .anySatisfy(line ->
                        assertThat(line).contains("monitor waits shorter than 20 ms", MONITORS + "#threshold=1ms"))
                .noneSatisfy(line -> assertThat(line).contains("java.util.concurrent"));
    }

    @Test
    void disabledEventsHaveNoThresholdWarning() {
        JfrChunkWriter chunk = settings();
        for (String event : List.of(JfrTestRecordings.MONITOR_ENTER, JfrTestRecordings.PARK)) {
            setting(chunk, chunk.id(event), "threshold", "20 ms");
            setting(chunk, chunk.id(event), "enabled", "false");
        }
        assertThat(read(chunk.checkpoint().metadata()).warnings())
                .anySatisfy(line -> assertThat(line).contains(MONITORS + "#enabled=true"))
                .anySatisfy(line -> assertThat(line).contains("jdk.ThreadPark#enabled=true"))
                .noneSatisfy(line -> assertThat(line).contains("threshold"));
    }

    @Test
    void otherWaitsThatWereNotRecordedAreNamed() {
        JfrChunkWriter chunk = settings();
        for (String event : List.of("jdk.ThreadSleep", "jdk.SocketRead")) {
            JfrTestRecordings.kindOfThread(chunk, event);
        }
        setting(chunk, chunk.id("jdk.ThreadSleep"), "enabled", "false");
        setting(chunk, chunk.id("jdk.SocketRead"), "enabled", "true");
        assertThat(read(chunk.checkpoint().metadata()).warnings())
                .contains("waits of these kinds were not recorded: jdk.ThreadSleep; "
                        + "record with settings=profile to see them");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdk.JavaMonitorWait",
                "jdk.ThreadSleep",
                "jdk.SocketRead",
                "jdk.SocketWrite",
                "jdk.FileRead",
                "jdk.FileWrite",
                "jdk.FileForce",
                "jdk.VirtualThreadPinned"
            })
    void eachKindOfWaitThatIsOffOrHasAThresholdIsNamed(String event) {
        JfrChunkWriter off = settings();
        JfrTestRecordings.kindOfThread(off, event);
        setting(off, off.id(event), "enabled", "false");
        setting(off, off.id(event), "threshold", "20 ms");
        assertThat(read(off.checkpoint().metadata()).warnings())
                .containsExactly("waits of these kinds were not recorded: " + event
                        + "; record with settings=profile to see them");
        JfrChunkWriter coarse = settings();
        JfrTestRecordings.kindOfThread(coarse, event);
        setting(coarse, coarse.id(event), "threshold", "20 ms");
        assertThat(read(coarse.checkpoint().metadata()).warnings())
                .containsExactly("shorter waits of these kinds were not recorded: " + event
                        + " (20 ms); record with EVENT#threshold=1ms to see them");
        JfrChunkWriter fine = settings();
        JfrTestRecordings.kindOfThread(fine, event);
        setting(fine, fine.id(event), "enabled", "true");
        setting(fine, fine.id(event), "threshold", "1 ms");
        assertThat(read(fine.checkpoint().metadata()).warnings()).isEmpty();
    }

    /** Either of the two samplers is enough. */
    @Test
    void samplersThatAreOffAreNamed() {
        JfrChunkWriter chunk = settings();
        JfrTestRecordings.kindOfThread(chunk, "jdk.ExecutionSample");
        setting(chunk, chunk.id("jdk.ExecutionSample"), "enabled", "false");
        assertThat(read(chunk.checkpoint().metadata()).warnings())
                .containsExactly("stack samples were not recorded, so the methods that ran are unknown; record with"
                        + " jdk.ExecutionSample#enabled=true");
        JfrChunkWriter byCpuTime = settings();
        JfrTestRecordings.kindOfThread(byCpuTime, "jdk.ExecutionSample");
        JfrTestRecordings.kindOfThread(byCpuTime, "jdk.CPUTimeSample");
        setting(byCpuTime, byCpuTime.id("jdk.ExecutionSample"), "enabled", "false");
        setting(byCpuTime, byCpuTime.id("jdk.CPUTimeSample"), "enabled", "true");
        assertThat(read(byCpuTime.checkpoint().metadata()).warnings()).isEmpty();
    }

    /** Deadlocks are in thread dumps only: a recording of locks without dumps says so. */
    @Test
    void aRecordingOfLocksWithoutThreadDumpsSaysThatItLacksDeadlocks() {
        String lacks = "waits that had not ended, deadlocks among them, were not recorded; record with"
                + " jdk.ThreadDump#period=10s to see deadlocks";
        JfrChunkWriter without = settings();
        setting(without, without.id(JfrTestRecordings.MONITOR_ENTER), "enabled", "true");
        assertThat(read(without.checkpoint().metadata()).warnings()).containsExactly(lacks);
        JfrChunkWriter with = settings();
        setting(with, with.id(JfrTestRecordings.MONITOR_ENTER), "enabled", "true");
        with.eventType(
                "jdk.ThreadDump", new F("startTime", JfrChunkWriter.LONG), new F("result", JfrChunkWriter.STRING));
        with.event("jdk.ThreadDump", out -> out.number(START_TICKS).text("Full thread dump"));
        assertThat(read(with.checkpoint().metadata()).warnings()).isEmpty();
        assertThat(read(settings().checkpoint().metadata()).warnings())
                .as("a recording of other events lacks other things")
                .isEmpty();
    }
}
