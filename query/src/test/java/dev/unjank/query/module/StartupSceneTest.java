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
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A scene for the published queries: an app starts, its main thread waits for the lock of its message queue, and misses
 * a frame.
 */
class StartupSceneTest {
    private static final int APP_DEADLINE_MISSED = 64;
    private static QueryTestSession session;

    @BeforeAll
    static void open(@TempDir Path folder) throws IOException, QueryException {
        Scene scene = new Scene();
        SceneProcess system = scene.process(1286, "system_server");
        SceneThread launcher = system.mainThread("system_server", 118);
        SceneProcess mail = scene.process(7100, "com.example.mail");
        SceneThread main = mail.mainThread("om.example.mail", 110);
        SceneThread binder = mail.thread(7111, "binder:7100_1", 120);

        launcher.sleeps(ms(1)).runnable(ms(1.1)).runs(0, ms(2));
        launcher.prints("S|1286|launchingActivity#5|0")
                .runs(0, ms(3))
                .sleeps(ms(50))
                .runnable(ms(50.1))
                .runs(0, ms(51));
        launcher.prints("F|1286|launchingActivity#5|0")
                .prints("I|1286|launchingActivity#5:completed-cold:com.example.mail");
        launcher.runs(0, ms(52));

        main.sleeps(ms(4))
                .runnable(ms(4.1))
                .begin("bindApplication")
                .runs(1, ms(8))
                .end();
        main.begin("activityStart")
                .runs(1, ms(9))
                .end()
                .begin("activityResume")
                .runs(1, ms(10))
                .end();
        main.runs(1, ms(11)).blocksOn(ArtContention.heldBy(binder));
        main.sleeps(ms(18)).wokenBy(binder).runnable(ms(18.1)).acquires().runs(1, ms(20));
        binder.sleeps(ms(10))
                .runnable(ms(10.5))
                .runs(0, ms(12))
                .runnable(ms(15))
                .runs(0, ms(18.5));
        mail.frame("app", ms(4), ms(20), ms(30), APP_DEADLINE_MISSED);

        Path file = folder.resolve("startup.pftrace");
        Files.write(file, scene.toBytes(WireFormat.COMPACT));
        Trace trace = TraceReader.read(file);
        session = QueryTestSession.of(trace);
    }

    @AfterAll
    static void close() {
        session.close();
    }

    @Test
    void aLoggedStartupHasItsTypeAndProcess() throws QueryException {
        assertThat(session.result("""
                        INCLUDE PERFETTO MODULE android.startup.startups;
                        SELECT startup_id, dur / 1000, package, s.startup_type, p.startup_type AS kind, process.name
                        FROM android_startups AS s JOIN android_startup_processes AS p USING (startup_id) JOIN process USING (upid)
                        """))
                .last()
                .isEqualTo("5,49000,\"com.example.mail\",\"cold\",\"cold\",\"com.example.mail\"");
    }

    @Test
    void startupCauses() throws QueryException {
        assertThat(session.result("""
                        SELECT id, package, startup_type, (first_frame_ts - ts) / 1000 AS drawn, cause, verdict, cause_dur / 1000 AS us
                        FROM unjank_startup WHERE utid IN (SELECT utid FROM thread WHERE tid = 7100) ORDER BY cause_dur DESC
                        """))
                .containsExactly(
                        "\"id\",\"package\",\"startup_type\",\"drawn\",\"cause\",\"verdict\",\"us\"",
                        "5,\"com.example.mail\",\"cold\",28000,\"sleeping\",\"[NULL]\",10000",
                        "5,\"com.example.mail\",\"cold\",28000,\"running\",\"[NULL]\",8800",
                        "5,\"com.example.mail\",\"cold\",28000,\"lock\",\"PRIORITY_INVERSION\",7100",
                        "5,\"com.example.mail\",\"cold\",28000,\"not_yet_born\",\"[NULL]\",2000",
                        "5,\"com.example.mail\",\"cold\",28000,\"runnable\",\"[NULL]\",100");
        assertThat(session.result("SELECT sum(cause_dur) = max(first_frame_ts - ts) AS all_of_it FROM unjank_startup"))
                .last()
                .isEqualTo("1");
    }

    @Test
    void contentionDuringStartups() throws QueryException {
        assertThat(session.result("""
                        INCLUDE PERFETTO MODULE android.monitor_contention;
                        INCLUDE PERFETTO MODULE android.startup.startups;
                        DROP VIEW IF EXISTS starting;
                        CREATE VIEW starting AS
                        SELECT startup_id, ts, dur, upid FROM android_startups JOIN android_startup_processes USING (startup_id);
                        DROP TABLE IF EXISTS waits;
                        CREATE VIRTUAL TABLE waits
                        USING SPAN_JOIN(android_monitor_contention PARTITIONED upid, starting PARTITIONED upid);
                        SELECT process_name, sum(dur) / 1000000 AS ms, count(*) AS n FROM waits
                        WHERE is_blocked_thread_main AND short_blocked_method LIKE "%messagequeue%" GROUP BY process_name
                        """)).containsExactly("\"process_name\",\"ms\",\"n\"", "\"com.example.mail\",7,1");
    }

    @Test
    void contentionInProcessesWithMissedFrames() throws QueryException {
        assertThat(session.result("""
                        INCLUDE PERFETTO MODULE android.monitor_contention;
                        INCLUDE PERFETTO MODULE android.frames.jank_type;
                        SELECT blocked_thread_name, blocking_thread_name, blocking_tid, short_blocked_method, blocked_src, waiter_count
                        FROM android_monitor_contention
                        WHERE upid IN (
                          SELECT DISTINCT(upid) FROM actual_frame_timeline_slice WHERE android_is_app_jank_type(jank_type) = TRUE)
                        """))
                .last()
                .isEqualTo("\"om.example.mail\",\"binder:7100_1\",7111,\"android.os.MessageQueue.next\","
                        + "\"MessageQueue.java:348\",0");
    }

    @Test
    void ownerStatesDuringContention() throws QueryException {
        assertThat(session.result("""
                        INCLUDE PERFETTO MODULE android.monitor_contention;
                        SELECT thread_state, thread_state_dur / 1000 AS us
                        FROM android_monitor_contention_chain_thread_state_by_txn ORDER BY us DESC
                        """)).containsExactly("\"thread_state\",\"us\"", "\"Running\",4100", "\"R+\",3000");
    }

    @Test
    void ancestorsAndDescendantsOfSlices() throws QueryException {
        assertThat(session.result("""
                        SELECT s.name GLOB 'Lock*' AS inner, a.name GLOB 'monitor contention*' AS outer
                        FROM slice AS s JOIN ancestor_slice(s.id) AS a
                        """)).containsExactly("\"inner\",\"outer\"", "1,1");
        assertThat(session.result("""
                        SELECT count(*) FROM descendant_slice((SELECT id FROM slice WHERE name GLOB 'monitor contention*'))
                        """)).containsExactly("\"count(*)\"", "1");
    }

    @Test
    void timeInStateOfSlices() throws QueryException {
        assertThat(session.result("""
                        INCLUDE PERFETTO MODULE slices.time_in_state;
                        SELECT state, dur / 1000 AS us FROM thread_slice_time_in_state WHERE name GLOB 'monitor contention*'
                        ORDER BY us DESC
                        """)).startsWith("\"state\",\"us\"", "\"S\",7000");
    }
}
