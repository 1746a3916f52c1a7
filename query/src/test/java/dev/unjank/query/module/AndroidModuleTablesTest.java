package dev.unjank.query.module;

import static dev.unjank.scene.Scene.START_NS;
import static dev.unjank.scene.Scene.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.query.QueryTestSession;
import dev.unjank.query.result.QueryException;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import dev.unjank.trace.read.TraceReader;
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
 * Binder transactions, critical paths and ANRs, against rows computed by hand. The scene, in ms:
 *
 * <pre>
 * app     runs 1 to 2.2, calls at 2, sleeps until the server wakes it at 6, has its reply at 6.5, sends a oneway call at 7
 * server  woken at 2.1, handles the call 2.5 to 6: runs until 4, waits for I/O until 5, runs from 5.2
 *         handles the oneway call 9 to 10
 * app     calls again at 12; the server handles that from 13 and calls back at 13.5; the app handles that 14 to 14.5;
 *         the server has that reply at 15 and replies at 16; the app has its reply at 17
 * server  reports two ANRs at 18 and 19
 * </pre>
 */
class AndroidModuleTablesTest {
    private static QueryTestSession session;

    @BeforeAll
    static void open(@TempDir Path folder) throws IOException, QueryException {
        Scene scene = new Scene();
        SceneThread app = scene.process(100, "com.example").mainThread("com.example", 120);
        SceneProcess system = scene.process(200, "system_server");
        SceneThread server = system.thread(201, "binder:200_1", 120);
        SceneThread reporter = system.thread(202, "AnrHelper", 120);

        app.sleeps(ms(0.8)).runnable(ms(1)).runs(0, ms(2)).does(call(7)).runs(0, ms(2.2));
        server.sleeps(ms(2.1)).wokenBy(app).runnable(ms(2.5)).does(KernelEvent.binderReceived(7));
        server.begin("AIDL::java::IThing::get::server")
                .runs(1, ms(4))
                .sleepsUninterruptibly(ms(5), true, "io_schedule");
        server.runnable(ms(5.2)).runs(1, ms(6)).end().does(reply(8));
        app.sleeps(ms(6)).wokenBy(server).runnable(ms(6.5)).does(KernelEvent.binderReceived(8));

        app.runs(0, ms(7)).does(KernelEvent.binderTransaction(9, false, true)).runs(0, ms(8));
        server.runs(1, ms(6.2)).sleeps(ms(8.8)).runnable(ms(9)).does(KernelEvent.binderReceived(9));
        server.begin("AIDL::java::IThing::tell::server").runs(1, ms(10)).end();

        app.sleeps(ms(11.5)).runnable(ms(12)).does(call(20)).runs(0, ms(12.5));
        server.sleeps(ms(12.8))
                .runnable(ms(13))
                .does(KernelEvent.binderReceived(20))
                .runs(1, ms(13.5))
                .does(call(21));
        app.sleeps(ms(13.8))
                .runnable(ms(14))
                .does(KernelEvent.binderReceived(21))
                .runs(0, ms(14.5))
                .does(reply(22));
        server.sleeps(ms(14.8))
                .runnable(ms(15))
                .does(KernelEvent.binderReceived(22))
                .runs(1, ms(16))
                .does(reply(23));
        app.sleeps(ms(16.8))
                .runnable(ms(17))
                .does(KernelEvent.binderReceived(23))
                .runs(0, ms(20));
        server.runs(1, ms(20));

        reporter.sleeps(ms(17)).runnable(ms(17.5)).runs(2, ms(17.6));
        reporter.begin("expired(4,100,10123,BROADCAST_TIMEOUT,10000)")
                .runs(2, ms(17.7))
                .end()
                .runs(2, ms(18));
        reporter.prints("C|200|ErrorId:com.example 100#4f-1|1");
        reporter.prints(
                "C|200|Subject(for ErrorId 4f-1):Broadcast of Intent { act=com.example.GO flg=0x10 cmp=com.example/.In }|1");
        reporter.runs(2, ms(19)).prints("C|200|ErrorId:com.other 300#4f-2|1");
        reporter.prints(
                "C|200|Subject(for ErrorId 4f-2):Input dispatching timed out (7a1b com.other/.Main (server) is not responding)|1");
        reporter.runs(2, ms(20));

        Path file = Files.write(folder.resolve("android.pftrace"), scene.toBytes(WireFormat.COMPACT));
        session = QueryTestSession.of(TraceReader.read(file));
    }

    private static KernelEvent call(int number) {
        return KernelEvent.binderTransaction(number, false, false);
    }

    private static KernelEvent reply(int number) {
        return KernelEvent.binderTransaction(number, true, false);
    }

    @AfterAll
    static void close() {
        session.close();
    }

    /** Checks rows, with times as microseconds of the scene. */
    private static void answers(String module, String sql, String... rows) throws QueryException {
        List<String> lines = session.result("INCLUDE PERFETTO MODULE " + module + "; "
                + sql.replaceAll("us\\((\\w+)\\)", "(($1 - " + START_NS + ") / 1000)"));
        assertThat(lines.subList(1, lines.size())).containsExactly(rows);
    }

    @Test
    void synchronousAndOnewayTransactions() throws QueryException {
        answers(
                "android.binder",
                """
                SELECT is_sync, interface, method_name, client_process, client_thread, client_tid, is_main_thread, us(client_ts),
                  client_dur / 1000, server_process, server_thread, server_pid, us(server_ts), server_dur / 1000, aidl_dur / 1000
                FROM android_binder_txns ORDER BY client_ts
                """,
                "1,\"IThing\",\"get\",\"com.example\",\"com.example\",100,1,2000,4500,\"system_server\",\"binder:200_1\",200,2500,3500,3500",
                "0,\"IThing\",\"tell\",\"com.example\",\"com.example\",100,1,7000,0,\"system_server\",\"binder:200_1\",200,9000,0,1000",
                "1,\"[NULL]\",\"[NULL]\",\"com.example\",\"com.example\",100,1,12000,5000,\"system_server\",\"binder:200_1\",200,13000,3000,\"[NULL]\"",
                "1,\"[NULL]\",\"[NULL]\",\"system_server\",\"binder:200_1\",201,0,13500,1500,\"com.example\",\"com.example\",100,14000,500,\"[NULL]\"");
    }

    /** Names and order as documented by Perfetto. */
    @Test
    void columnsOfTransactions() throws QueryException {
        assertThat(session.result("INCLUDE PERFETTO MODULE android.binder; SELECT * FROM android_binder_txns LIMIT 0")
                        .getFirst()
                        .replace("\"", "")
                        .split(","))
                .containsExactlyInAnyOrder(
                        ("aidl_name interface method_name aidl_ts aidl_dur binder_txn_id client_process client_thread client_upid"
                                        + " client_utid client_tid client_pid is_main_thread client_ts client_dur binder_reply_id"
                                        + " server_process server_thread server_upid server_utid server_tid server_pid server_ts"
                                        + " server_dur client_oom_score server_oom_score is_sync client_monotonic_dur"
                                        + " server_monotonic_dur client_package_version_code server_package_version_code"
                                        + " is_client_package_debuggable is_server_package_debuggable")
                                .split(" "));
    }

    @Test
    void threadStatesDuringATransaction() throws QueryException {
        answers(
                "android.binder",
                """
                SELECT thread_state_type, thread_state, thread_state_dur / 1000, thread_state_count
                FROM android_sync_binder_thread_state_by_txn WHERE us(client_ts) = 2000 ORDER BY 1, 2
                """,
                "\"binder_reply\",\"D\",1000,1",
                "\"binder_reply\",\"R\",200,1",
                "\"binder_reply\",\"Running\",2300,2",
                "\"binder_txn\",\"R\",500,1",
                "\"binder_txn\",\"Running\",200,1",
                "\"binder_txn\",\"S\",3800,1");
        answers("android.binder", """
                SELECT thread_state_type, blocked_function, blocked_function_dur / 1000, blocked_function_count
                FROM android_sync_binder_blocked_functions_by_txn WHERE us(client_ts) = 2000
                """, "\"binder_reply\",\"io_schedule\",1000,1");
    }

    @Test
    void transactionsOfAProcess() throws QueryException {
        answers(
                "android.binder",
                "SELECT process_name, slice_name, event_count FROM android_binder_metrics_by_process ORDER BY 1, 2",
                "\"com.example\",\"binder reply\",1",
                "\"com.example\",\"binder transaction\",2",
                "\"com.example\",\"binder transaction async\",1",
                "\"system_server\",\"binder async rcv\",1",
                "\"system_server\",\"binder reply\",2",
                "\"system_server\",\"binder transaction\",1");
    }

    /** While the app sleeps, its critical path is in the server, including the server's wait for I/O. */
    @Test
    void criticalPath() throws QueryException {
        answers(
                "sched.thread_executing_span",
                """
                SELECT thread.name, us(ts), dur / 1000
                FROM _thread_executing_span_critical_path((SELECT utid FROM thread WHERE tid = 100), %d, %d) JOIN thread USING (utid)
                ORDER BY ts
                """.formatted(START_NS + ms(2), ms(5)),
                "\"com.example\",2000,200",
                "\"binder:200_1\",2200,3800",
                "\"com.example\",6000,1000");
        answers("sched.thread_executing_span", """
                SELECT sum(dur) / 1000
                FROM _thread_executing_span_critical_path((SELECT utid FROM thread WHERE tid = 100), %d, %d)
                """.formatted(START_NS + ms(1), ms(18)), "18000");
        answers(
                "sched.states",
                """
                SELECT waker.state, waker_thread.name FROM thread_state AS s JOIN thread USING (utid)
                JOIN thread_state AS waker ON waker.id = s.waker_id JOIN thread AS waker_thread ON waker_thread.utid = waker.utid
                WHERE thread.tid = 100 AND us(s.ts) = 6000
                """.replace("us(s.ts)", "(s.ts - " + START_NS + ") / 1000"),
                "\"Running\",\"binder:200_1\"");
    }

    @Test
    void anrs() throws QueryException {
        answers(
                "android.anrs",
                """
                SELECT process_name, pid, upid IS NULL AS unknown, error_id, us(ts), anr_type, intent, component, timer_delay / 1000,
                  anr_dur_ms, default_anr_dur_ms
                FROM android_anrs ORDER BY ts
                """,
                "\"com.example\",100,0,\"4f-1\",18000,\"BROADCAST_OF_INTENT\",\"com.example.GO\",\"com.example/.In\",400,10000,60000",
                "\"com.other\",300,1,\"4f-2\",19000,\"INPUT_DISPATCHING_TIMEOUT\",\"[NULL]\",\"com.other/.Main\",\"[NULL]\",\"[NULL]\",5000");
        answers(
                "android.anrs",
                "SELECT subject FROM android_anrs ORDER BY ts",
                "\"Broadcast of Intent { act=com.example.GO flg=0x10 cmp=com.example/.In }\"",
                "\"Input dispatching timed out (7a1b com.other/.Main (server) is not responding)\"");
    }
}
