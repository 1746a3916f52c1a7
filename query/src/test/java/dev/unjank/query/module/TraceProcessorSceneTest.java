package dev.unjank.query.module;

import static dev.unjank.scene.Scene.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.query.QueryTestSession;
import dev.unjank.query.result.QueryException;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.write.WireFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The seven tables of {@link TraceProcessorComparisonTest} without real traces: one scene covers each case of their
 * queries, with results computed by hand.
 *
 * <p>Each of three apps has a main thread that waits for the lock of its message queue. Only mail is starting, and its
 * second wait ends after the startup; clock also misses a frame; notes does not, because its frame is only delayed by
 * full buffers. Mail's worker waits for such a lock as well but is not a main thread, and mail's main thread finally
 * waits for another lock.
 */
class TraceProcessorSceneTest {
    private static final int NO_JANK = 1;
    private static final int APP_DEADLINE_MISSED = 1 << 6;
    private static final int BUFFER_STUFFING = 1 << 7;

    // Both published queries, statement by statement, in words of our own.
    private static final String DURING_STARTUP = """
            INCLUDE PERFETTO MODULE android.monitor_contention;
            INCLUDE PERFETTO MODULE android.startup.startups;
            DROP VIEW IF EXISTS starting;
            CREATE VIEW starting AS
            SELECT startup_id, ts, dur, upid FROM android_startups JOIN android_startup_processes USING(startup_id);
            DROP TABLE IF EXISTS waits_of_starting;
            CREATE VIRTUAL TABLE waits_of_starting
            USING SPAN_JOIN(android_monitor_contention PARTITIONED upid, starting PARTITIONED upid);
            SELECT process_name, SUM(dur) / 1000000 AS sum_dur_ms, COUNT(*) AS count_contention
            FROM waits_of_starting
            WHERE is_blocked_thread_main AND short_blocked_method LIKE "%MessageQueue%"
            GROUP BY process_name ORDER BY SUM(dur) DESC;
            """;
    private static final String WITH_JANK = """
            INCLUDE PERFETTO MODULE android.monitor_contention;
            INCLUDE PERFETTO MODULE android.frames.jank_type;
            SELECT process_name, SUM(dur) / 1000000 AS sum_dur_ms, COUNT(*) AS count_contention
            FROM android_monitor_contention
            WHERE is_blocked_thread_main AND short_blocked_method LIKE "%MessageQueue%" AND upid IN (
              SELECT DISTINCT(upid) FROM actual_frame_timeline_slice WHERE android_is_app_jank_type(jank_type) = TRUE)
            GROUP BY process_name ORDER BY SUM(dur) DESC;
            """;

    private static final Map<String, String> QUEUE_QUERIES = Map.of(
            "messagequeue_contention_during_startup", DURING_STARTUP, "messagequeue_contention_with_jank", WITH_JANK);

    private static Scene scene() {
        Scene scene = new Scene();
        SceneThread system = scene.process(1286, "system_server").mainThread("system_server", 118);
        system.sleeps(ms(1)).runnable(ms(1.5)).runs(0, ms(2));
        system.prints("S|1286|launchingActivity#5|0").runs(0, ms(3));
        system.sleeps(ms(49)).runnable(ms(49.5)).runs(0, ms(50));
        system.prints("F|1286|launchingActivity#5|0")
                .prints("I|1286|launchingActivity#5:completed-cold:com.example.mail");
        system.runs(0, ms(51));

        mail(scene.process(7100, "com.example.mail"));

        SceneProcess clock = scene.process(7200, "com.example.clock");
        SceneThread timer = clock.thread(7211, "timer", 120);
        timer.sleeps(ms(19)).runnable(ms(19.5)).runs(5, ms(26));
        SceneThread clockMain = clock.mainThread("m.example.clock", 110);
        clockMain.sleeps(ms(20)).runnable(ms(20.5)).runs(4, ms(22)).blocksOn(ArtContention.heldBy(timer));
        clockMain.sleeps(ms(25)).wokenBy(timer).runnable(ms(25.5)).acquires().runs(4, ms(27));
        clock.frame("clock", ms(20), ms(24), ms(28), APP_DEADLINE_MISSED | BUFFER_STUFFING);

        SceneProcess notes = scene.process(7300, "com.example.notes");
        SceneThread saver = notes.thread(7311, "saver", 120);
        saver.sleeps(ms(32)).runnable(ms(32.5)).runs(7, ms(38));
        SceneThread notesMain = notes.mainThread("m.example.notes", 110);
        notesMain.sleeps(ms(33)).runnable(ms(33.5)).runs(6, ms(34)).blocksOn(ArtContention.heldBy(saver));
        notesMain.sleeps(ms(36)).wokenBy(saver).runnable(ms(36.5)).acquires().runs(6, ms(37));
        notes.frame("notes", ms(33), ms(40), ms(38), NO_JANK);
        notes.frame("notes", ms(40), ms(44), ms(50), BUFFER_STUFFING);
        return scene;
    }

    private static void mail(SceneProcess mail) {
        SceneThread main = mail.mainThread("om.example.mail", 110);
        SceneThread binder = mail.thread(7111, "binder:7100_1", 120);
        SceneThread worker = mail.thread(7112, "worker", 125);
        ArtContention forQueue = ArtContention.heldBy(binder);
        ArtContention forStore = forQueue.at(
                "void com.example.mail.Store.write(int)(Store.java:10)",
                "int com.example.mail.Store.read()(Store.java:20)");

        main.sleeps(ms(4)).runnable(ms(4.5));
        main.begin("bindApplication").runs(1, ms(8)).end();
        main.begin("activityStart").runs(1, ms(9)).end();
        main.begin("activityResume").runs(1, ms(10)).end();
        main.runs(1, ms(11)).blocksOn(forQueue);
        main.sleeps(ms(18)).wokenBy(binder).runnable(ms(18.5)).acquires().runs(1, ms(20));
        main.sleeps(ms(45)).runnable(ms(45.5)).runs(1, ms(47)).blocksOn(forQueue.waiters(1));
        main.sleeps(ms(52))
                .wokenBy(binder)
                .runnable(ms(52.5))
                .acquires()
                .runs(1, ms(55))
                .blocksOn(forStore);
        main.sleeps(ms(56)).wokenBy(binder).runnable(ms(56.5)).acquires().runs(1, ms(58));

        binder.sleeps(ms(10))
                .runnable(ms(10.5))
                .runs(2, ms(12))
                .runnable(ms(15))
                .runs(2, ms(19));
        binder.sleeps(ms(46)).runnable(ms(46.5)).runs(2, ms(57));

        worker.sleeps(ms(28)).runnable(ms(28.5)).runs(3, ms(30)).blocksOn(forQueue);
        worker.sleeps(ms(31)).runnable(ms(31.5)).acquires().runs(3, ms(32));

        mail.frame("mail", ms(4), ms(20), ms(30), APP_DEADLINE_MISSED);
    }

    static Stream<Arguments> tables() {
        return Stream.of(WireFormat.PLAIN, WireFormat.COMPACT)
                .flatMap(format -> Stream.concat(
                                QUEUE_QUERIES.entrySet().stream(),
                                TraceProcessorComparisonTest.QUERIES.entrySet().stream())
                        .map(query -> Arguments.of(query.getKey(), format, query.getValue())));
    }

    @ParameterizedTest(name = "{0} of {1}")
    @MethodSource("tables")
    void aTable(String name, WireFormat format, String query, @TempDir Path folder) throws IOException, QueryException {
        Path file = Files.write(folder.resolve("scene.pftrace"), scene().toBytes(format));
        Trace trace = TraceReader.read(file);
        try (QueryTestSession session = QueryTestSession.of(trace)) {
            assertThat(session.csv(query)).isEqualTo(expected(name).lines().toList());
        }
    }

    private static String expected(String name) throws IOException {
        try (InputStream in = TraceProcessorSceneTest.class.getResourceAsStream("scene/" + name + ".csv")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
