package dev.unjank.query.module;

import static dev.unjank.scene.Scene.START_NS;
import static dev.unjank.scene.Scene.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.query.QueryTestSession;
import dev.unjank.query.result.QueryException;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.PresentType;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.write.FrameTimelineWriter;
import dev.unjank.trace.write.KernelEvent;
import dev.unjank.trace.write.WireFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tables of the standard library against rows computed by hand. The scene, in ms:
 *
 * <pre>
 * main    runnable 1, on CPU 0 1.5 to 4, preempted until 5, on CPU 1 5 to 9, and again 17 to 22
 *         slices: work 1.5 to 9 with child inner 2 to 3; doFrame 17 to 18, fully drawn 18 to 19, doFrame 19 to 20
 * render  runnable 6, on CPU 0 6.5 to 8, waits for I/O until 10, runnable until 10.5, on CPU 0 until 21
 *         draws 12 to 14 and 20 to 21
 * gc      on CPU 2 8 to 14, collecting; the heap has 20 MB from 5, 12 MB from 15
 * system  launches the app from 0.5 to 30
 * CPU 0   at 1 GHz from 1.5; CPU 1 at 2 GHz from 5
 * </pre>
 */
class StandardLibraryTablesTest {
    private static QueryTestSession session;

    @BeforeAll
    static void open(@TempDir Path folder) throws IOException, QueryException {
        Scene scene = new Scene();
        SceneProcess app = scene.process(100, "com.example");
        SceneThread main = app.mainThread("com.example", 120);
        SceneThread render = app.thread(101, "RenderThread", 120);
        SceneThread gc = app.thread(102, "HeapTaskDaemon", 120);
        SceneThread system = scene.process(200, "system_server").mainThread("system_server", 120);

        system.sleeps(ms(0.2)).runnable(ms(0.4)).runs(3, ms(0.5));
        system.prints("S|200|launchingActivity#7|0").runs(3, ms(30));
        system.prints("F|200|launchingActivity#7|0").prints("I|200|launchingActivity#7:completed-cold:com.example");
        system.runs(3, ms(31));

        main.sleeps(ms(1))
                .runnable(ms(1.5))
                .begin("work")
                .begin("bindApplication")
                .end();
        main.does(KernelEvent.cpuFrequency(0, 1_000_000));
        main.begin("activityStart").end().begin("activityResume").end();
        main.runs(0, ms(2)).begin("inner").runs(0, ms(3)).end().runs(0, ms(4)).runnable(ms(5));
        main.does(KernelEvent.cpuFrequency(1, 2_000_000));
        main.prints("C|100|Heap size (KB)|20000").runs(1, ms(9)).end();
        main.sleeps(ms(14.5))
                .runnable(ms(15))
                .prints("C|100|Heap size (KB)|12000")
                .runs(1, ms(16));
        main.sleeps(ms(16.5))
                .runnable(ms(17))
                .begin("Choreographer#doFrame 1000")
                .runs(1, ms(18))
                .end();
        main.begin("reportFullyDrawn() for x").runs(1, ms(19)).end();
        main.begin("Choreographer#doFrame 1002").runs(1, ms(20)).end().runs(1, ms(22));

        render.sleeps(ms(6)).runnable(ms(6.5)).runs(0, ms(8)).sleepsUninterruptibly(ms(10), true, "io_schedule");
        render.runnable(ms(10.5))
                .runs(0, ms(18))
                .begin("DrawFrames 1000")
                .runs(0, ms(19))
                .end();
        render.runs(0, ms(20)).begin("DrawFrames 1002").runs(0, ms(21)).end().runs(0, ms(21.5));

        gc.sleeps(ms(7))
                .runnable(ms(8))
                .begin("Background concurrent copying GC")
                .runs(2, ms(14))
                .end();
        gc.runs(2, ms(14.5));

        app.frame("app", ms(17), ms(30), ms(18), FrameTimelineWriter.JANK_NONE);
        app.frame("app", ms(19), ms(40), ms(21.5), FrameTimelineWriter.JANK_NONE);

        Path file = Files.write(folder.resolve("scene.pftrace"), scene.toBytes(WireFormat.COMPACT));
        session = QueryTestSession.of(TraceReader.read(file));
    }

    @AfterAll
    static void close() {
        session.close();
    }

    /** Checks rows, with times as microseconds of the scene. */
    private static void answers(String module, String sql, String... rows) throws QueryException {
        List<String> lines = session.result(
                "INCLUDE PERFETTO MODULE " + module + "; " + sql.replace("us(ts)", "(ts - " + START_NS + ") / 1000"));
        assertThat(lines.subList(1, lines.size())).containsExactly(rows);
    }

    @Test
    void timeOnCpuOfSlices() throws QueryException {
        answers("slices.cpu_time", "SELECT cpu_time / 1000 FROM thread_slice_cpu_time WHERE name = 'work'", "6500");
    }

    @Test
    void timeInStatesOfSlices() throws QueryException {
        answers(
                "slices.time_in_state",
                "SELECT state, dur / 1000 FROM thread_slice_time_in_state WHERE name = 'work' ORDER BY state",
                "\"R+\",1000",
                "\"Running\",6500");
    }

    @Test
    void slicesWithoutTheirChildren() throws QueryException {
        answers(
                "slices.self_dur",
                "SELECT self_dur / 1000 FROM slice_self_dur JOIN slice USING (id) WHERE name IN ('work', 'inner') ORDER BY ts",
                "6500",
                "1000");
        answers(
                "slices.flat_slices",
                "SELECT name, us(ts), dur / 1000 FROM _slice_flattened WHERE name IN ('work', 'inner') ORDER BY ts",
                "\"work\",1500,500",
                "\"inner\",2000,1000",
                "\"work\",3000,6000");
    }

    @Test
    void schedulingLatency() throws QueryException {
        answers("sched.latency", """
                SELECT us(ts), latency_dur / 1000 FROM sched_latency_for_running_interval AS l
                JOIN thread_state AS s ON s.id = l.thread_state_id JOIN thread ON thread.utid = l.utid
                WHERE thread.name = 'com.example' AND ts < %d ORDER BY ts
                """.formatted(START_NS + ms(10)), "1500,500", "5000,1000");
    }

    @Test
    void timeInStatesOfThreads() throws QueryException {
        answers(
                "sched.time_in_state",
                """
                SELECT state, io_wait, blocked_function, dur / 1000
                FROM sched_time_in_state_for_thread_in_interval(%d, %d, (SELECT utid FROM thread WHERE name = 'RenderThread'))
                ORDER BY state, io_wait
                """.formatted(START_NS + ms(7), ms(5)),
                "\"D\",1,\"io_schedule\",2000",
                "\"R\",\"[NULL]\",\"[NULL]\",500",
                "\"Running\",\"[NULL]\",\"[NULL]\",2500");
    }

    @Test
    void threadLevelParallelism() throws QueryException {
        answers(
                "sched.thread_level_parallelism",
                "SELECT us(ts), runnable_thread_count FROM sched_runnable_thread_count ORDER BY ts LIMIT 8",
                "200,1",
                "400,0",
                "1000,1",
                "1500,0",
                "6000,1",
                "6500,0",
                "7000,1",
                "8000,0");
        answers(
                "sched.thread_level_parallelism",
                "SELECT us(ts), active_cpu_count FROM sched_active_cpu_count ORDER BY ts LIMIT 7",
                "400,1",
                "1500,2",
                "4000,1",
                "5000,2",
                "6500,3",
                "8000,3",
                "9000,2");
        answers(
                "sched.thread_level_parallelism",
                "SELECT us(ts), uninterruptible_sleep_thread_count FROM sched_uninterruptible_sleep_thread_count ORDER BY ts",
                "8000,1",
                "10000,0");
    }

    /**
     * In the first two periods of 5 ms, the threads of the process ran 2.5 ms, and 4 + 1.5 + 2 ms; there are four CPUs.
     */
    @Test
    void utilizationPerPeriod() throws QueryException {
        answers("linux.cpu.utilization.process", """
                SELECT us(ts), utilization, unnormalized_utilization
                FROM cpu_process_utilization_per_period(5000000, (SELECT upid FROM process WHERE pid = 100))
                WHERE ts < %d ORDER BY ts
                """.formatted(START_NS + ms(10)), "0,0.125,0.5", "5000,0.375,1.5");
        answers("linux.cpu.utilization.thread", """
                SELECT us(ts), unnormalized_utilization
                FROM cpu_thread_utilization_per_period(5000000, (SELECT utid FROM thread WHERE name = 'com.example'))
                WHERE ts < %d ORDER BY ts
                """.formatted(START_NS + ms(10)), "0,0.5", "5000,0.8");
        answers(
                "linux.cpu.utilization.system",
                "SELECT us(ts), unnormalized_utilization FROM cpu_utilization_per_period(5000000) WHERE ts < %d ORDER BY ts"
                        .formatted(START_NS + ms(10)),
                "0,1.42",
                "5000,2.5");
    }

    @Test
    void cpuFrequencies() throws QueryException {
        answers(
                "linux.cpu.frequency",
                "SELECT us(ts), cpu, freq FROM cpu_frequency_counters ORDER BY ts",
                "1500,0,1000000",
                "5000,1,2000000");
    }

    /** 2.5 ms at 1 GHz, and 4, 1 and 5 ms at 2 GHz. */
    @Test
    void cyclesOfThreads() throws QueryException {
        answers("linux.cpu.utilization.thread", """
                SELECT millicycles, megacycles, runtime / 1000, min_freq, max_freq, avg_freq
                FROM cpu_cycles_per_thread JOIN thread USING (utid) WHERE thread.name = 'com.example'
                """, "22500000000,22,12500,1000000,2000000,1800000");
        answers(
                "linux.cpu.utilization.system",
                "SELECT cpu, runtime / 1000, avg_freq FROM cpu_cycles_per_cpu WHERE cpu IN (0, 2) ORDER BY cpu",
                "0,15000,1000000",
                "2,6500,\"[NULL]\"");
    }

    @Test
    void timeToInitialAndFullDisplay() throws QueryException {
        answers("android.startup.time_to_display", """
                SELECT startup_id, time_to_initial_display / 1000, time_to_full_display / 1000, ttid_frame_id, ttfd_frame_id
                FROM android_startup_time_to_display
                """, "7,18500,20500,1000,1002");
    }

    @Test
    void garbageCollections() throws QueryException {
        answers("android.garbage_collection", """
                SELECT thread_name, process_name, gc_dur / 1000, gc_running_dur / 1000, min_heap_mb, max_heap_mb, reclaimed_mb
                FROM android_garbage_collection_events
                """, "\"HeapTaskDaemon\",\"com.example\",6000,6000,12.0,20.0,8.0");
    }

    @Test
    void countersAsIntervals() throws QueryException {
        answers("counters.intervals", """
                SELECT us(ts), dur / 1000, value, next_value, delta_value
                FROM counter_leading_intervals!((
                  SELECT counter.* FROM counter JOIN process_counter_track AS t ON t.id = counter.track_id
                  WHERE t.name = 'Heap size (KB)'
                ))
                ORDER BY ts LIMIT 1
                """, "5000,10000,20000.0,12000.0,-8000.0");
    }

    /** Three expected frames: one presented, one skipped, one unfinished. */
    @Test
    void expectedFrames() throws QueryException {
        try (TraceBuilder builder = new TraceBuilder("frames")) {
            int layer = builder.intern("app");
            for (int token = 1; token <= 3; token++) {
                builder.program().expectedFrame(100L * token, token, 10, token + 50, token, layer);
                if (token < 3) {
                    builder.program().frameEnd(100L * token + 16, token);
                }
            }
            builder.program().actualFrame(110, 9, 10, 51, 1, layer, 1, PresentType.of(1), true, false);
            builder.program().frameEnd(120, 9);
            Trace trace = builder.build();
            try (QueryTestSession frames = QueryTestSession.of(trace)) {
                assertThat(frames.result("SELECT ts, dur, name, surface_frame_token, display_frame_token, layer_name"
                                + " FROM expected_frame_timeline_slice ORDER BY ts"))
                        .containsExactly(
                                "\"ts\",\"dur\",\"name\",\"surface_frame_token\",\"display_frame_token\",\"layer_name\"",
                                "100,16,\"1\",1,51,\"app\"",
                                "200,16,\"2\",2,52,\"app\"",
                                "300,-1,\"3\",3,53,\"app\"");
                assertThat(frames.result(
                                "SELECT s.ts FROM slice AS s JOIN actual_frame_timeline_slice AS a ON a.id = s.id"))
                        .containsExactly("\"ts\"", "110");
                assertThat(frames.result("SELECT count(*) FROM slice JOIN process_track AS t ON t.id = slice.track_id"))
                        .last()
                        .isEqualTo("4");
            }
        }
    }
}
