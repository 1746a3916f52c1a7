package dev.unjank.query.tables;

import static dev.unjank.scene.Scene.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.RealTraces;
import dev.unjank.query.QueryTestSession;
import dev.unjank.query.result.QueryException;
import dev.unjank.scene.LauncherExample;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.write.FrameTimelineWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Module tables made in Java equal the same tables in SQL, in the test resources. */
class ModuleTablesInJavaTest {

    private static String reference(String name) throws IOException {
        try (InputStream in = ModuleTablesInJavaTest.class.getResourceAsStream(
                "/dev/unjank/query/tables/reference/" + name + ".sql")) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Compares all three tables; returns the total number of rows. */
    private static int compare(Trace trace) throws IOException, QueryException {
        int rows = 0;
        try (QueryTestSession session = QueryTestSession.of(trace)) {
            session.results(reference("contention") + "INCLUDE PERFETTO MODULE android.startup.startups;"
                    + reference("startups"));
            rows += same(session, "_android_monitor_contention", "reference_contention");
            rows += same(session, "_android_startups", "reference_startups");
            rows += same(session, "_android_startup_processes", "reference_startup_processes");
        }
        return rows;
    }

    private static int same(QueryTestSession session, String ours, String theirs) throws QueryException {
        List<String> rows = session.result("SELECT * FROM " + ours);
        List<String> wanted = session.result("SELECT * FROM " + theirs);
        assertThat(rows).as(ours).containsExactlyInAnyOrderElementsOf(wanted);
        assertThat(rows.getFirst()).as(ours).isEqualTo(wanted.getFirst());
        return rows.size() - 1;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a7_nexus5x_startup_cold.perfetto-trace",
                "a11_galaxys20_sched.perfetto-trace",
                "a12_x86emu_sched_perfsample.pftrace",
                "a13_pixel4xl_chrome_track_event.pftrace",
                "a13_pixel6a_startup_warm.perfetto-trace",
                "a15_mokeygo32_startup_cold.perfetto-trace",
                "tracecompass_youtube_atrace.txt"
            })
    void realTraces(String name) throws IOException, QueryException {
        compare(TraceReader.read(RealTraces.file(name)));
    }

    private static Trace read(Path folder, Scene scene) throws IOException {
        return TraceReader.read(Files.write(folder.resolve("scene.pftrace"), scene.toBytes(WireFormat.COMPACT)));
    }

    @Test
    void exampleTrace(@TempDir Path folder) throws IOException, QueryException {
        Path file = Files.write(folder.resolve("launcher.pftrace"), LauncherExample.trace());
        assertThat(compare(TraceReader.read(file))).isPositive();
    }

    /** Names with missing parts or with the separators inside them, and slices with children. */
    @Test
    void unusualContentionNames(@TempDir Path folder) throws IOException, QueryException {
        Scene scene = new Scene();
        SceneProcess app = scene.process(100, "com.example");
        app.thread(101, "owner", 120).sleeps(ms(1));
        SceneThread main = app.mainThread("com.example", 120);
        main.begin("binder reply").begin("in between").begin("binder reply");
        String site = " at void a.B.c(int)(B.java:1) waiters=%s blocking from void d.E.f(long, x)(E.java:2)";
        double at = 1;
        for (String name : List.of(
                "owner (101)" + site.formatted("0"),
                "x (y) at z (101)" + site.formatted("12abc"),
                "owner (0101 )" + site.formatted("-3"),
                "owner (99999999999999999999)" + site.formatted(""),
                "owner (101) at nothing waiters=1 blocking from nothing",
                "owner" + site.formatted("1"),
                "owner (101) at (void a.B.c(int) at void g.H.i()(H.java:3)" + site.formatted("1"),
                "owner (101) at void a.B.c(int)(:com.google (190400-1):2) waiters=0 blocking from void d.E.f()(E.java:-2)",
                "")) {
            main.begin("monitor contention with owner " + name)
                    .runs(0, ms(++at))
                    .end();
        }
        String plain = "monitor contention with owner owner (101)" + site.formatted("0");
        main.begin(plain)
                .begin("Lock contention on a monitor lock (owner tid: 101)")
                .runs(0, ms(++at))
                .end()
                .end();
        main.begin(plain).begin("something else").runs(0, ms(++at)).end().end();
        main.begin(plain)
                .begin("Lock contention on a monitor lock (owner tid: 101)")
                .begin("within")
                .runs(0, ms(++at))
                .end()
                .end()
                .end();
        main.end().end().end();
        main.begin(plain).runs(0, ms(++at)); // an open slice

        assertThat(compare(read(folder, scene))).isEqualTo(7);
    }

    /** Startups that the system logs since Android 13. */
    @Test
    void startupsLoggedBySystem(@TempDir Path folder) throws IOException, QueryException {
        Scene scene = new Scene();
        SceneProcess app = scene.process(100, "com.example:service");
        SceneThread main = app.mainThread("com.example", 120);
        SceneThread system = scene.process(200, "system_server").mainThread("system_server", 120);
        system.prints("S|200|launchingActivity#7|0").runs(3, ms(1));
        // Cold by its processes, too: in SQL it is undefined which marker determines the type.
        main.begin("bindApplication")
                .end()
                .begin("activityStart")
                .runs(0, ms(2))
                .end()
                .begin("activityResume")
                .runs(0, ms(3))
                .end();
        system.runs(3, ms(4)).prints("F|200|launchingActivity#7|0");
        system.prints("I|200|launchingActivity#7:completed:com.example")
                .prints("I|200|launchingActivity#7:completed-cold:com.example")
                .prints("I|200|launchingActivity#7:completed-cold:com.example")
                .prints("I|200|launchingActivity#9:completed-hot:com.other")
                .prints("I|200|launchingActivity#8:cancelled:com.other:completed");
        system.prints("S|200|launchingActivity#8|0").runs(3, ms(5)).prints("F|200|launchingActivity#8|0");
        system.prints("S|200|launchingActivity#9|0").runs(3, ms(6));

        assertThat(compare(read(folder, scene))).isEqualTo(4);
    }

    /** Startups from an intent. */
    @Test
    void startupsFromIntents(@TempDir Path folder) throws IOException, QueryException {
        Scene scene = new Scene();
        SceneProcess app = scene.process(100, "com.example");
        SceneThread main = app.mainThread("com.example", 120);
        SceneThread system = scene.process(200, "system_server").mainThread("system_server", 120);
        String metrics = "I|200|MetricsLogger:launchObserverNotify";
        for (int start = 0; start < 3; start++) { // the second has two launches, the third does not succeed
            double from = 20 * (double) start;
            system.prints(metrics + "IntentStarted").runs(3, ms(from + 1));
            system.prints("S|200|launching: com.example|0").runs(3, ms(from + 5));
            main.sleeps(ms(from + 2))
                    .begin("bindApplication")
                    .end()
                    .begin("activityStart")
                    .end();
            main.begin("activityResume").runs(0, ms(from + 4)).end();
            system.prints("F|200|launching: com.example|0");
            if (start == 1) {
                system.prints("S|200|launching: com.other|0")
                        .runs(3, ms(from + 7))
                        .prints("F|200|launching: com.other|0");
            }
            if (start != 2) {
                system.prints(metrics + "ActivityLaunchFinished");
            }
            system.runs(3, ms(from + 15));
        }

        assertThat(compare(read(folder, scene))).isEqualTo(2);
    }

    /** Startups of old systems: launches, and resumed activities until the next frame. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void startupsOfOldSystems(boolean timeline, @TempDir Path folder) throws IOException, QueryException {
        Scene scene = new Scene();
        SceneProcess app = scene.process(100, "com.example");
        SceneThread main = app.mainThread("com.example", 120);
        SceneThread render = app.thread(101, "RenderThread", 120);
        SceneThread system = scene.process(200, "system_server").mainThread("system_server", 120);
        system.prints("S|200|launching: com.example|0").runs(3, ms(5)).prints("F|200|launching: com.example|0");
        main.begin("activityResume").runs(0, ms(3)).end().sleeps(ms(10));
        main.begin("activityResume").runs(0, ms(12)).end();
        String number = timeline ? " 1000" : "";
        main.begin("Choreographer#doFrame" + number).runs(0, ms(14)).end();
        render.sleeps(ms(13)).begin("DrawFrame" + number).runs(1, ms(15)).end();
        main.begin("Choreographer#doFrame" + number.replace("0", "1"))
                .runs(0, ms(18))
                .end();
        render.sleeps(ms(17))
                .begin("DrawFrame" + number.replace("0", "1"))
                .runs(1, ms(21))
                .end();
        main.sleeps(ms(30)).begin("activityResume").runs(0, ms(31)).end(); // no frame follows
        system.runs(3, ms(40));
        if (timeline) {
            app.frame("app", ms(12), ms(30), ms(18), FrameTimelineWriter.JANK_NONE);
        }

        assertThat(compare(read(folder, scene))).isEqualTo(4);
    }
}
