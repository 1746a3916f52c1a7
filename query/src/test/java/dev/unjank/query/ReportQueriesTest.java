package dev.unjank.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.fixture.RealTraces;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.ResultWriter;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.LauncherExample;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.JankType;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.write.FrameTimelineWriter;
import dev.unjank.trace.write.TraceClock;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All queries that a report prints run, and its query for incidents returns exactly its incidents, in the same order.
 */
class ReportQueriesTest {
    private static final SqlReportQueries QUERIES = new SqlReportQueries("unjank query trace");

    /** The number of threads with incidents that options name, at least. */
    private static final int MANY_THREADS = 6;

    @TempDir
    Path folder;

    private Trace read(byte[] bytes) throws IOException {
        return TraceReader.read(Files.write(folder.resolve("trace"), bytes));
    }

    /** The rows of a result as CSV, without the heading. */
    private static List<String> rows(QuerySession session, String sql) throws QueryException {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        session.run(sql, ResultWriter.csv(out));
        out.flush();
        return text.toString().lines().skip(1).toList();
    }

    /** One row per incident, with its number in the report. */
    private static List<String> rowsOf(Diagnosis diagnosis) {
        List<String> rows = new ArrayList<>();
        for (Incident incident : diagnosis.incidents()) {
            rows.add(incident.id() + "," + incident.rootWait().startNs() + ","
                    + incident.rootWait().durNs() + ",\"" + incident.verdict()
                    + "\","
                    + text(incident.rootWait().thread().process()) + ","
                    + text(incident.rootWait().thread().name()) + ","
                    + text(
                            incident.blocker() == null
                                    ? null
                                    : incident.blocker().thread().name()));
        }
        return rows;
    }

    private static String text(String value) {
        return value == null ? "\"[NULL]\"" : '"' + value.replace("\"", "\"\"") + '"';
    }

    /** Without options, with each option, and with some combinations; names and tids with and without incidents. */
    private static Set<DoctorOptions> choices(Trace trace, int threads) {
        DoctorOptions main = DoctorOptions.defaults();
        DoctorOptions all = main.withThread(DoctorOptions.ALL_THREADS);
        Set<DoctorOptions> choices = new HashSet<>(List.of(
                main,
                main.withMinDuration(Duration.ZERO),
                main.withMinDuration(Duration.ofMillis(5)),
                all,
                all.withMinDuration(Duration.ZERO),
                main.withThread(DoctorOptions.MAIN_THREADS),
                main.withThread("no such thread"),
                main.withProcess("no 'such' process")));
        List<Incident> incidents = Doctor.diagnose(trace, all).incidents();
        int step = Math.max(1, incidents.size() / threads);
        for (int i = 0; i < incidents.size(); i += step) {
            var thread = incidents.get(i).rootWait().thread();
            if (thread.isInTrace()) {
                choices.add(main.withThread(Integer.toString(thread.tid())));
            }
            if (thread.isInTrace() && thread.name() != null) {
                choices.add(main.withThread(thread.name()));
            }
            if (thread.process() != null) {
                choices.add(main.withThread(thread.process()).withMinDuration(Duration.ZERO));
                choices.add(main.withProcess(thread.process()));
                choices.add(all.withProcess(thread.process()));
            }
            int upid = thread.upid();
            if (upid >= 0) {
                String pid = Integer.toString(trace.processes().pid(upid));
                choices.add(main.withProcess(pid));
                choices.add(main.withThread(Integer.toString(thread.tid())).withProcess(pid));
            }
        }
        return choices;
    }

    private static void check(Trace trace) throws QueryException {
        check(trace, MANY_THREADS, Integer.MAX_VALUE);
    }

    private static void check(Trace trace, int threads, int incidents) throws QueryException {
        try (QuerySession session = QuerySession.open(QuerySession.engine(EngineOptions.DEFAULT), trace)) {
            for (DoctorOptions options : choices(trace, threads)) {
                Diagnosis diagnosis = Doctor.diagnose(trace, options);
                String query = QUERIES.incidents(diagnosis);
                assertThat(rows(session, query))
                        .as(query)
                        .extracting(row -> query.contains("AS number") ? row.replaceFirst(",\\d+", "") : row)
                        .containsExactlyElementsOf(rowsOf(diagnosis));
            }
            Diagnosis unasked = Doctor.diagnose(trace, DoctorOptions.defaults());
            for (Incident incident :
                    unasked.incidents().stream().limit(incidents).toList()) {
                String query = QUERIES.evidence(incident, unasked.platform());
                List<String> rows = rows(session, query);
                if (trace.hasScheduling()) {
                    assertThat(rows).as(query).isNotEmpty();
                }
            }
        }
    }

    @Test
    void exampleTrace() throws IOException, QueryException {
        check(read(LauncherExample.trace()));
    }

    /** A report's last line, and the first query of its JSON. */
    @Test
    void queriesOfTheExample() throws IOException {
        Diagnosis diagnosis = Doctor.diagnose(read(LauncherExample.trace()), DoctorOptions.defaults());
        assertThat(QUERIES.incidents(diagnosis))
                .isEqualTo(
                        "SELECT id, ts, dur, verdict, process_name, thread_name, owner_thread_name FROM unjank_incident"
                                + " WHERE dur >= 1000000 AND is_default = 1 ORDER BY id");
        Incident incident = diagnosis.incidents().getFirst();
        Wait wait = incident.rootWait();
        assertThat(QUERIES.evidence(incident, Platform.ANDROID))
                .contains("tid = 3384")
                .contains("ready.ts < " + wait.endNs())
                .contains("ready.ts + ready.dur > " + wait.startNs())
                .doesNotContain("{");
        assertThat(QUERIES.evidence(diagnosis.incidents().get(1), Platform.ANDROID))
                .startsWith(
                        "SELECT ts, dur, state, cpu, io_wait, blocked_function\nFROM thread_state JOIN thread USING (utid)\n"
                                + "WHERE tid = 3391 AND ts < ")
                .doesNotContain("{");
    }

    @ParameterizedTest
    @EnumSource(Verdict.class)
    void everyPlaceholderIsReplaced(Verdict verdict) {
        for (Platform platform : Platform.values()) {
            assertThat(Pattern.compile("\\{(\\w+)}")
                            .matcher(QUERIES.evidence(verdict, platform))
                            .results()
                            .map(match -> match.group(1))
                            .distinct())
                    .isNotEmpty()
                    .isSubsetOf("responsible", "waiter", "from", "to");
        }
    }

    /** One program has frames and one has none: of the latter, only the lock wait is reported by default. */
    @Test
    void programWithoutFrames() throws IOException, QueryException {
        Scene scene = new Scene();
        addWaits(scene.process(1000, "com.example.draws"), 0, "Choreographer#doFrame 1");
        addWaits(scene.process(2000, "com.example's.service"), 2, "onStartCommand");
        Trace trace = read(scene.toBytes(WireFormat.PLAIN));
        assertThat(Doctor.diagnose(trace, DoctorOptions.defaults()).incidents()).hasSize(3);
        check(trace);
    }

    /** A thread that draws frames beside the main thread is listed by default, another one is not. */
    @Test
    void secondUiThread() throws IOException, QueryException {
        Scene scene = new Scene();
        SceneProcess app = scene.process(1000, "com.example.draws");
        addWaits(app, 0, "Choreographer#doFrame 1");
        SceneThread owner = app.thread(1003, "owner", 120);
        owner.begin("works").runs(5, Scene.ms(6)).end();
        for (String name : List.of("splash", "idler")) {
            boolean draws = name.equals("splash");
            int cpu = draws ? 4 : 6;
            SceneThread thread = app.thread(draws ? 1004 : 1005, name, 120);
            thread.begin(draws ? "Choreographer#doFrame 3" : "idles").runs(cpu, Scene.ms(1));
            thread.blocksOn(ArtContention.heldBy(owner));
            thread.sleeps(Scene.ms(5)).wokenBy(owner).runnable(Scene.ms(5.01)).acquires();
            thread.runs(cpu, Scene.ms(20)).end();
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            scene.writeTo(writer);
            FrameTimelineWriter frames = writer.frames(TraceClock.BOOTTIME);
            for (int token : List.of(1, 3)) {
                var surface = new FrameTimelineWriter.SurfaceFrame(token, token + 1, 1000, "layer " + token);
                frames.actualSurfaceFrame(
                        surface,
                        Scene.traceTime(Scene.ms(0.5)),
                        Scene.traceTime(Scene.ms(25)),
                        JankType.APP_DEADLINE_MISSED.bit());
            }
        }
        Trace trace = read(bytes.toByteArray());
        assertThat(Doctor.diagnose(trace, DoctorOptions.defaults()).incidents())
                .extracting(incident -> incident.rootWait().thread().name())
                .contains("main", "splash")
                .doesNotContain("idler");
        check(trace);
    }

    /** A JVM with more safepoint pauses than a report lists; its threads are sometimes running. */
    @Test
    void jvmWithManySafepointPauses() throws QueryException {
        long ms = 1_000_000;
        try (TraceBuilder builder = new TraceBuilder("stops")) {
            builder.kernel().javaProcess(0, 100, builder.intern("app.Main"));
            String[] names = {"main", "AWT-EventQueue-0", "worker"};
            for (int i = 0; i < names.length; i++) {
                builder.kernel().nameThread(0, 101 + i, 100, builder.intern(names[i]));
            }
            int stops = builder.tracks().newTrack(-1, 100);
            for (int i = 0; i < 200; i++) {
                long at = (10 + 10L * i) * ms;
                long length = (i % 7 + 1) * ms / 2;
                builder.tracks()
                        .trackBegin(
                                at,
                                stops,
                                builder.intern("gc"),
                                builder.intern("GC pause: G1New (G1 Evacuation Pause)"));
                builder.tracks().trackEnd(at + length, stops);
                for (int thread = 0; thread < names.length; thread++) {
                    if (i % (thread + 2) == 0 || i / 50 == thread) {
                        int track = builder.tracks().newTrack(101 + thread, 100);
                        boolean waits = i % 5 == 0;
                        builder.tracks()
                                .trackBegin(
                                        at - ms,
                                        track,
                                        builder.intern(waits ? "" : "park"),
                                        builder.intern(
                                                waits
                                                        ? "monitor contention with owner owner (109) waiters=0"
                                                        : "parking on app.Queue"));
                        builder.tracks().trackEnd(at + 6 * ms, track);
                    }
                }
            }
            Trace trace = builder.build();
            assertThat(Doctor.diagnose(trace, DoctorOptions.defaults().withThread("worker"))
                            .incidents())
                    .filteredOn(incident -> incident.rootWait().isProcessPause())
                    .hasSizeGreaterThan(50);
            check(trace);
        }
    }

    /**
     * Two threads of a JVM block each other for ever. Its main thread waits for a short time, and compiler threads wait
     * for a CPU: the query names none of them.
     */
    @Test
    void jvmWithADeadlockAndManyInternalThreads() throws QueryException {
        long ms = 1_000_000;
        try (TraceBuilder builder = new TraceBuilder("deadlock")) {
            builder.kernel().javaProcess(0, 100, builder.intern("app.Main"));
            String[] names = {"main", "transfer-0", "transfer-1"};
            int[] owners = {102, 103, 102};
            for (int i = 0; i < names.length; i++) {
                builder.kernel().nameThread(0, 101 + i, 100, builder.intern(names[i]));
                int track = builder.tracks().newTrack(101 + i, 100);
                String name = "monitor contention with owner transfer-" + (owners[i] - 102) + " (" + owners[i]
                        + ") at void app.Bank.transfer()(A.java:1) waiters=0";
                builder.tracks().trackBegin((10 + i) * ms, track, builder.intern("monitor"), builder.intern(name));
                if (i == 0) {
                    builder.tracks().trackEnd(20 * ms, track);
                }
            }
            int idle = builder.intern("swapper");
            for (int i = 0; i < 20; i++) {
                int tid = 200 + i;
                int name = builder.intern("C2 CompilerThre");
                builder.kernel().nameThread(0, tid, 100, name);
                long at = (30 + 5 * i) * ms;
                builder.kernel().schedSwitch(at, 0, 0, idle, 120, SchedState.RUNNABLE, tid, name, 120);
                builder.kernel().schedSwitch(at + ms, 0, tid, name, 120, SchedState.RUNNABLE, 0, idle, 120);
                builder.kernel().schedSwitch(at + 4 * ms, 0, 0, idle, 120, SchedState.RUNNABLE, tid, name, 120);
                builder.kernel().schedSwitch(at + 5 * ms, 0, tid, name, 120, SchedState.SLEEPING, 0, idle, 120);
            }
            builder.unmodeledEvent(300 * ms);
            Trace trace = builder.build();
            Diagnosis ofProcess =
                    Doctor.diagnose(trace, DoctorOptions.defaults().withProcess("100"));
            assertThat(ofProcess.incidents())
                    .extracting(Incident::verdict)
                    .startsWith(Verdict.DEADLOCK, Verdict.DEADLOCK)
                    .hasSize(3);
            assertThat(Doctor.diagnose(trace, DoctorOptions.defaults().withThread("all"))
                            .incidents())
                    .hasSizeGreaterThan(20);
            assertThat(QUERIES.incidents(ofProcess)).hasSizeLessThan(500).contains("is_internal = 0");
            check(trace);
        }
    }

    /** A main thread waits 4 ms for a lock, with the owner running on the next CPU, and then 3 ms for a CPU. */
    private static void addWaits(SceneProcess app, int cpu, String slice) {
        SceneThread main = app.mainThread("main", 120);
        SceneThread worker = app.thread(1001 + 1000 * (cpu / 2), "worker", 120);
        worker.begin("works").runs(cpu + 1, Scene.ms(6)).end();
        app.thread(1002 + 1000 * (cpu / 2), "greedy", 120)
                .sleeps(Scene.ms(5.9))
                .runnable(Scene.ms(6))
                .runs(cpu, Scene.ms(9));
        main.begin(slice).runs(cpu, Scene.ms(1)).blocksOn(ArtContention.heldBy(worker));
        main.sleeps(Scene.ms(5)).wokenBy(worker).runnable(Scene.ms(5.01)).acquires();
        main.runs(cpu, Scene.ms(6))
                .runnable(Scene.ms(9))
                .runs(cpu, Scene.ms(30))
                .end();
    }

    private static List<String> names() {
        return List.of(
                "a15_mokeygo32_startup_cold.perfetto-trace",
                "a13_pixel6a_startup_warm.perfetto-trace",
                "a7_nexus5x_startup_cold.perfetto-trace",
                "a12_x86emu_sched_perfsample.pftrace",
                "a11_galaxys20_sched.perfetto-trace",
                "tracecompass_youtube_atrace.txt",
                "trappy_surfaceflinger.html",
                "catapult_compressed_atrace.ctrace",
                "a13_pixel4xl_chrome_track_event.pftrace",
                "jmc_jdk17_monitoredvm.jfr",
                "jmc_full_gc_g1.jfr",
                "grafana_example.jfr.gz",
                "grafana_event-with-type-zero.jfr.gz");
    }

    @ParameterizedTest
    @MethodSource("names")
    void realTraces(String name) throws IOException, QueryException {
        check(TraceReader.read(RealTraces.file(name)), 1, 10);
    }

    @ParameterizedTest
    @Tag("slow")
    @MethodSource("names")
    void allQueriesOfRealTraces(String name) throws IOException, QueryException {
        check(TraceReader.read(RealTraces.file(name)));
    }
}
