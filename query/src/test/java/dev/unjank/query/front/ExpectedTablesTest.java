package dev.unjank.query.front;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.RealTraces;
import dev.unjank.query.FrontSession;
import dev.unjank.query.QueryException;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What real traces answer, against what trace processor answers. They are no part of the project: they lie beside a checkout, or
 * the tests are skipped.
 */
class ExpectedTablesTest {
    private static final String A7 = "a7_nexus5x_startup_cold.perfetto-trace";
    private static final String A11 = "a11_galaxys20_sched.perfetto-trace";
    private static final String A12 = "a12_x86emu_sched_perfsample.pftrace";
    private static final String A13 = "a13_pixel6a_startup_warm.perfetto-trace";
    private static final String A15 = "a15_mokeygo32_startup_cold.perfetto-trace";

    static final Map<String, String> QUERIES = Map.of(
            "monitor_contention",
            """
            INCLUDE PERFETTO MODULE android.monitor_contention;
            SELECT ts, dur, process_name, blocked_thread_name, blocked_thread_tid, is_blocked_thread_main, blocking_thread_name,
              blocking_tid, short_blocking_method, short_blocked_method, blocking_src, blocked_src, waiter_count
            FROM android_monitor_contention ORDER BY ts, id;
            """,
            "startups",
            """
            INCLUDE PERFETTO MODULE android.startup.startups;
            SELECT startup_id, ts, ts_end, dur, package, startup_type FROM android_startups ORDER BY ts;
            """,
            "frames",
            """
            SELECT process.name AS process_name, jank_type, present_type, count(*) AS n, sum(dur) AS dur_ns
            FROM actual_frame_timeline_slice JOIN process USING (upid)
            GROUP BY process_name, jank_type, present_type ORDER BY 1, 2, 3;
            """,
            "slices",
            "SELECT name, count(*) AS n, sum(dur) AS dur_ns FROM slice GROUP BY name ORDER BY n DESC, name LIMIT 60;",
            "thread_state",
            """
            SELECT tid, thread.name AS thread_name, state, count(*) AS n, sum(dur) AS dur_ns
            FROM thread_state JOIN thread USING (utid) WHERE dur != -1
            GROUP BY tid, thread_name, state ORDER BY tid, thread_name, state;
            """);

    private static void check(String trace, String table, String query) throws IOException, QueryException {
        Path file = RealTraces.file(trace);
        List<String> theirs = new ArrayList<>(Files.readAllLines(RealTraces.expectedFile(trace, table)));
        List<String> ours = new ArrayList<>();
        try (FrontSession session = FrontSession.of(TraceReader.read(file))) {
            ours.addAll(session.csv(query));
        }
        if (trace.equals(A7)) {
            // the process keeps its name when a thread of it renames itself at its end
            theirs.replaceAll(line ->
                    line.replace(",\"Shutdown thread\",\"FinalizerDaemon\"", ",\"app_process\",\"FinalizerDaemon\""));
            // bit 0x400 of a 3.10 kernel says preempted; theirs takes it for that of later ones, NOLOAD
            theirs.replaceAll(line -> line.replace(",\"N\",", ",\"R+\","));
        }
        assertThat(ours).containsExactlyInAnyOrderElementsOf(theirs);
        assertThat(ours.getFirst()).isEqualTo(theirs.getFirst());
    }

    @ParameterizedTest
    @ValueSource(strings = {A7, A11, A12, A13, A15})
    void publishedQueriesRunUnchanged(String trace) throws IOException, QueryException {
        for (String name : List.of("messagequeue_contention_during_startup", "messagequeue_contention_with_jank")) {
            Path query = RealTraces.file("../queries/" + name + ".sql");
            check(trace, name, Files.readString(query));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {A7, A11, A12, A13, A15})
    void monitorContention(String trace) throws IOException, QueryException {
        check(trace, "monitor_contention", QUERIES.get("monitor_contention"));
    }

    @ParameterizedTest
    @ValueSource(strings = {A7, A11, A12, A13, A15})
    void startups(String trace) throws IOException, QueryException {
        check(trace, "startups", QUERIES.get("startups"));
    }

    @ParameterizedTest
    @ValueSource(strings = {A7, A11, A12, A13, A15})
    void frames(String trace) throws IOException, QueryException {
        check(trace, "frames", QUERIES.get("frames"));
    }

    @ParameterizedTest
    @ValueSource(strings = {A7, A11, A12, A13, A15})
    void slices(String trace) throws IOException, QueryException {
        check(trace, "slices", QUERIES.get("slices"));
    }

    @ParameterizedTest
    @ValueSource(strings = {A7, A13, A15})
    void threadStates(String trace) throws IOException, QueryException {
        check(trace, "thread_state", QUERIES.get("thread_state"));
    }

    /** Of a kernel that tells only of {@code sched_wakeup}: docs/perfettosql.md has the reason, and this query. */
    @Test
    void threadStatesWhereSleepsLastUntilTheNextRun() throws IOException, QueryException {
        check(A11, "thread_state", """
                WITH told AS (
                  SELECT utid, dur, state, state = 'R' AND waker_utid IS NULL
                      AND ifnull(lag(state) OVER thread_time, '') != 'Running' AS ends_a_sleep,
                    lead(dur) OVER thread_time AS next_dur,
                    ifnull(lead(state = 'R' AND waker_utid IS NULL) OVER thread_time, 0) AND state != 'Running' AS sleeps_on
                  FROM thread_state WINDOW thread_time AS (PARTITION BY utid ORDER BY ts)),
                folded AS (
                  SELECT utid, state, iif(sleeps_on AND next_dur = -1, -1, dur + iif(sleeps_on, next_dur, 0)) AS dur
                  FROM told WHERE dur != -1 AND NOT ends_a_sleep)
                SELECT tid, thread.name AS thread_name, state, count(*) AS n, sum(dur) AS dur_ns
                FROM folded JOIN thread USING (utid) WHERE dur != -1
                GROUP BY tid, thread_name, state ORDER BY tid, thread_name, state;
                """);
    }

    /**
     * Two threads that one CPU puts to sleep and another wakes at the same time, on a clock that ticks every 100 ns: what came first
     * nobody knows, and trace processor takes it the other way.
     */
    @Test
    void threadStatesWhereTwoCpusTellOfOneMoment() throws IOException, QueryException {
        List<String> theirs = Files.readAllLines(RealTraces.expectedFile(A12, "thread_state"));
        List<String> ours = new ArrayList<>();
        try (FrontSession session = FrontSession.of(TraceReader.read(RealTraces.file(A12)))) {
            ours.addAll(session.csv(QUERIES.get("thread_state")));
        }
        List<String> onlyOurs = new ArrayList<>(ours);
        onlyOurs.removeAll(theirs);
        List<String> onlyTheirs = new ArrayList<>(theirs);
        onlyTheirs.removeAll(ours);
        assertThat(onlyOurs)
                .containsExactly(
                        "2604,\"Binder:582_1A\",\"D\",2,7365100",
                        "2604,\"Binder:582_1A\",\"R\",27,152027100",
                        "10649,\"Binder:10628_3\",\"R\",9,21547900",
                        "10649,\"Binder:10628_3\",\"S\",7,4498391000");
        assertThat(onlyTheirs)
                .containsExactly(
                        "2604,\"Binder:582_1A\",\"D\",2,1591700",
                        "2604,\"Binder:582_1A\",\"R\",28,157800500",
                        "10649,\"Binder:10628_3\",\"R\",8,21142500",
                        "10649,\"Binder:10628_3\",\"S\",7,4498796400");
    }
}
